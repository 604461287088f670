"""Holidays and leave: importing a year when it is first needed, and counting leave again."""
