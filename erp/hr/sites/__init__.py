"""Sites: the places where people work, each with a country, a time zone, a currency and a weekend."""
