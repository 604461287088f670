"""The pages of the browser frontend and of the documentation, as this program serves them."""
