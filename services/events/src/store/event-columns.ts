import type { Columns } from '@catchment/query';

/** The attributes of an event for filter and sort (docs/reference/events.md#fields). */
export function eventColumns(classNamespace: string): Columns {
  // The namespace is checked by the configuration: names and dots only.
  const prefix = `${classNamespace}.models`;
  return {
    _id: { type: 'objectId', sql: 'event_id' },
    _class: { type: 'string', sql: `'${prefix}.event.Event'` },
    level: { type: 'string', sql: 'level' },
    eventTime: { type: 'time', sql: 'event_time', filterable: false },
    eventType: { type: 'string', sql: 'event_type' },
    message: { type: 'string', sql: 'message' },
    alarmState: { type: 'string', sql: 'alarm_state' },
    nodeId: { type: 'objectId', sql: 'node_id', isNodeId: true },
    nodeType: { type: 'string', sql: `('${prefix}.node.' || node_class)` },
    workspaceId: { type: 'objectId', sql: 'workspace_id', isNodeId: true },
    ownerId: { type: 'objectId', sql: 'owner_id' },
    username: { type: 'string', sql: 'username' },
  };
}
