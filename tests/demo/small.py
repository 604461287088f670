"""A story of a few entries, so that sample data is there at once."""

SMALL = """
password = "welcome-to-the-demo"
timeZone = "Europe/Berlin"

[by]
contact = "Ada"
invoice = "Ada"
message = "Ada"
person = "Ada"
workspace = "Ada"

[weeks]
full = { mon = 480, tue = 480, wed = 480, thu = 480, fri = 480 }

[[workspace]]
name = "Small & Sons"
legalName = "Small & Sons GmbH"
vatId = "DE123456788"
country = "DE"
timeZone = "Europe/Berlin"
address = { line1 = "Weg 1", city = "Hamburg", postalCode = "20457", country = "DE" }

[[person]]
name = "Ada Small"
email = "ada@small.example"
role = "owner"
jobTitle = "Director"
hireDate = "24 months ago, day 1"
week = "full"
compensation = { payType = "salary", amount = "5000.00", frequency = "monthly" }

[[person]]
name = "Ben Tall"
email = "ben@small.example"
role = "member"
jobTitle = "Joiner"
hireDate = "12 months ago, day 1"
week = "full"
compensation = { payType = "salary", amount = "3000.00", frequency = "monthly" }

[[contact]]
kind = "customer"
name = "Hansen"
email = "books@hansen.example"
address = { line1 = "Weg 2", city = "Hamburg", postalCode = "20457", country = "DE" }

[[invoice]]
as = "the chairs"
on = "12 days ago"
customer = "Hansen"
lines = [{ description = "Chairs", quantity = "2", unitPrice = "250.00" }]

[[message]]
on = "11 days ago"
with = { invoice = "the chairs" }
"""
