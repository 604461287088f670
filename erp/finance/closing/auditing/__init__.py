"""A fiscal year for an auditor: its tables and files, with a description that an auditor's program reads."""
