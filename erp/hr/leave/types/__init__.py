"""Kinds of leave with their rules, such as annual leave and sick leave."""
