"""Webhooks: the events of a workspace sent to other programs as they happen, as Standard Webhooks says."""
