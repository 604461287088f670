"""Probes that test each part of this build, also inside the executable."""
