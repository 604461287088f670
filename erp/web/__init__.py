"""The HTTP kernel: what every area is served by; it imports none of them."""
