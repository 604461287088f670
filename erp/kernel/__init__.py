"""Values without a database: money, clock, errors, roles, configuration."""
