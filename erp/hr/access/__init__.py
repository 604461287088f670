"""Access to employees: records, their users, reporting lines, and rights over them."""
