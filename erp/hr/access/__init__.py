"""Who an employee is: the record, whose it is, who reports to whom, and who may see it."""
