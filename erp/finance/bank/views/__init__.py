"""Views of bank statements, their lines, rules and reconciliation."""
