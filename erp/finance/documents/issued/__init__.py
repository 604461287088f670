"""What issuing asks of a document that leaves the office, and what it keeps of that day."""
