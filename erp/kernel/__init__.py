"""What needs neither files nor requests: money, the clock, refusals, roles, the caller, configuration."""
