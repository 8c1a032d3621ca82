-- Nodes with an alarm that is not CLEARED, for GET /alarms: of all nodes they are few. The condition is that of RAISED in
-- src/views/store/raised-alarms-query.ts.
CREATE INDEX node_alarms_raised ON node_alarms (node_id) WHERE alarms @? '$.* ? (@.alarmState != "CLEARED")';
