"""TypedDicts of what the API takes and answers: `models.Node`, `models.Event`, `models.Webhook` …"""

from ._generated.models import *  # noqa: F403
