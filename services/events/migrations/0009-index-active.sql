-- Events that raise an alarm are few among all: dashboards count them over a period (docs/reference/dashboards-and-reports.md#tiles).
CREATE INDEX IF NOT EXISTS events_active ON events (owner_id, event_time) INCLUDE (workspace_id, node_id, event_type) WHERE alarm_state = 'ACTIVE';
