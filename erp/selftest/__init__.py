"""Probes that try the parts of this build, inside the executable too."""
