"""Delivery: the clock, the threads and the addresses of sending, which webhooks and mail share."""
