"""Two-factor sign-in: a code of an app beside the password."""
