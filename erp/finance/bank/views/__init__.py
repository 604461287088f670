"""How bank statements, their lines, rules and the state of an account are shown."""
