"""When people were at work: clocking, punches, corrections and the month."""
