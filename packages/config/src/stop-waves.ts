/**
 * All services end in this order: those that take requests first, then those that answer them, so that nothing in flight loses
 * its server.
 */
export const STOP_WAVES = [
  ['gateway', 'devices', 'processing'],
  ['render', 'historic', 'alarms', 'events'],
  ['nodes'],
] as const;
