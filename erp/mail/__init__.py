"""Outgoing mail: messages that are sent once, or of which the program says plainly that it does not know."""
