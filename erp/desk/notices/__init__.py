"""Notices: what someone is told because it concerns them, written together with the event."""
