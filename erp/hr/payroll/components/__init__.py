"""Pay components: earnings, deductions and employer contributions."""
