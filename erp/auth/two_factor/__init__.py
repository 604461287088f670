"""Two-factor sign-in: a code of an app in addition to the password."""
