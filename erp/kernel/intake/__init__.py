"""Files that people send: what they may take, and how they are unpacked and read in pieces."""
