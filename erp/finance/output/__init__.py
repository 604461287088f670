"""What leaves the office, and what comes in from another: documents on paper and as e-invoices."""
