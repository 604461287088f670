"""Webhooks as they are set up: added, changed, tried, given a new secret, sent again, removed."""

import base64
import logging

import pytest

from erp.webhooks import posting
from erp.webhooks.webhooks import MOST
from tests.api.endpoints import *  # noqa: F403
from tests.events import events_of, last_event
from tests.system.checks.checked import sound  # noqa: F401
