"""The people of a workspace: members, invites, joining, and the people that records name."""
