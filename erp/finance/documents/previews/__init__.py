"""What a document would come to while it is being typed, and what issuing it would do."""
