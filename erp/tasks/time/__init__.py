"""Time: logs, timers, sums, and hours from a spreadsheet."""
