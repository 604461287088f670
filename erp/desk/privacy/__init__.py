"""Data protection: what the workspace holds of one person, how long it must be kept, and erasing it."""
