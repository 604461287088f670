"""The rates of mileage and per diems: tables of countries, and the office's own."""
