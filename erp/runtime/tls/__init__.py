"""https without a proxy: a local authority, its certificate for this computer, and connections that speak TLS."""
