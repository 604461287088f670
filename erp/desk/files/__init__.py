"""The files of records, and the inbox whose files become bills."""
