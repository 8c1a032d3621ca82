-- The record that has brought the current state, by its time (Unix ms): what alarms said counts from that record on. NULL = always.
ALTER TABLE node_alarms ADD COLUMN current_state_ms bigint;
