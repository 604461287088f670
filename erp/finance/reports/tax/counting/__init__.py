"""The facts that count in VAT returns, with their days and rates."""
