"""Quotes: what customers are offered, what they accept, and what of it is invoiced. They post nothing."""
