"""Who is in a workspace: members, invites, joining, and the people that records name."""
