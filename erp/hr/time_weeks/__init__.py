"""Weeks of time: submitted by a person, approved or returned by someone who may change everyone's time."""
