"""Notices: messages to the people whom an event concerns, written together with the event."""
