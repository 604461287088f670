"""The commands of the command line, one noun per file: they parse and print, and other rooms do the work."""
