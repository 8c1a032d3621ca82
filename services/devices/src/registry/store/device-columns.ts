import type { Columns } from '@catchment/query';

/**
 * Returns public attributes of a device in the view `shown_devices d`, for filter and sort
 * (docs/reference/query-arguments.md#filter, docs/reference/devices.md#device-attributes).
 */
export function deviceColumns(namespace: string): Columns {
  const prefix = `${namespace}.models.device.`;
  if (!/^[A-Za-z0-9_.]+$/.test(prefix)) throw new RangeError('CLASS_NAMESPACE: must be letters, digits and dots');
  return {
    _id: { type: 'objectId', sql: 'd.device_id' },
    _class: { type: 'string', sql: `'${prefix}' || d.class` },
    workspaceId: { type: 'objectId', sql: 'd.workspace_id', isNodeId: true },
    datasourceId: { type: 'objectId', sql: 'd.datasource_id', isNodeId: true },
    deviceKey: { type: 'string', sql: 'd.device_key' },
    phoneNumber: { type: 'string', sql: 'd.phone_number' },
    isConnected: { type: 'boolean', sql: 'd.is_connected' },
    isOutOfDate: {
      type: 'boolean',
      sql: 'CASE WHEN d.config IS NOT NULL THEN d.confirmed_revision < d.config_revision END',
    },
    lastConnected: { type: 'time', store: 'ms', sql: 'd.last_connected_ms' },
    createdTime: { type: 'time', store: 'ms', sql: 'd.created_ms' },
    secret: { type: 'hidden' },
    'config.simPin': { type: 'hidden' },
    'config.apn.pass': { type: 'hidden' },
    // Stored classes have no prefix; inside JSON text no other place can read `"_class": "config.`.
    config: {
      type: 'jsonb',
      sql: `replace(d.config::text, '"_class": "config.', '"_class": "${prefix}config.')::jsonb`,
    },
    software: { type: 'jsonb', sql: 'd.software' },
  };
}
