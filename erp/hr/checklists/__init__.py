"""Checklists: the steps when someone joins or leaves, started as tasks."""
