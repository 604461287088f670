"""The HTTP kernel that serves every area, and imports none of them."""
