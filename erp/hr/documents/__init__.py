"""Documents of employees, such as contracts and permits, with a reminder before they expire."""
