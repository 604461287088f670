"""What is sold or bought again and again, offered for the lines of documents."""
