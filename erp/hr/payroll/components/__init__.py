"""Pay components: what is added to pay, deducted from it or paid on top."""
