"""Webhooks: the events of a workspace sent to other programs as they happen, by the rules of Standard Webhooks."""
