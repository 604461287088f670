"""What stands deducted of documents, for all that read it."""
