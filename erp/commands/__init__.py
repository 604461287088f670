"""The commands of the command line, a noun a file: each says how it is typed, and leaves the work to others."""
