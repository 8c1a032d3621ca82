"""What the API takes and answers, as TypedDicts: `models.Node`, `models.Event`, `models.Webhook` …"""

from ._generated.models import *  # noqa: F403
