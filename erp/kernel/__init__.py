"""Values without files or requests: money, the clock, refusals, roles, the caller, configuration."""
