"""Wage data for an external payroll provider: wage types, and numbered exports with later corrections."""
