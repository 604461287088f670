"""Time clocks on a wall: a tablet at which people clock in and out with a PIN."""
