"""Changes to recorded days that employees request and others decide on."""
