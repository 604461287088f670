"""The pages of the browser frontend as this program serves them."""
