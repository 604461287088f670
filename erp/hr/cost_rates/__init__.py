"""Cost rates: the cost of an hour of an employee, from a day on."""
