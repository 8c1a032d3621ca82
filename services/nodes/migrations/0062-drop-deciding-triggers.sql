-- What a change of nodes makes due is decided by the service alone (src/nodes/domain/stored-change.ts): every connection of it has said so since
-- migration 0061, and these triggers have rested.
DROP TRIGGER new_follower ON nodes;
DROP TRIGGER changed_follower ON nodes;
DROP TRIGGER new_report_schedule ON nodes;
DROP TRIGGER changed_report_schedule ON nodes;
DROP TRIGGER new_attachment ON nodes;
DROP TRIGGER gone_attachment ON nodes;
DROP TRIGGER changed_config ON nodes;
DROP TRIGGER changed_values ON node_values;
DROP TRIGGER reported_first_state ON node_alarms;
DROP TRIGGER reported_state ON node_alarms;
DROP FUNCTION announce_coordinate_sources();
DROP FUNCTION mark_report_schedule();
DROP FUNCTION show_newest_attachment();
DROP FUNCTION mark_stale();
