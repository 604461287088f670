"""What a list of documents says of its rows beyond their columns."""
