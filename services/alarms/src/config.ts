import { join } from 'node:path';
import { databaseConnections } from '@catchment/pg';
import { serviceConfig } from '@catchment/service';

/** The README lists what alarms uses, and its settings. */
export const config = serviceConfig({
  name: 'alarms',
  uses: {
    peers: ['nodes', 'historic'],
    bus: {},
    database: {
      migrations: join(import.meta.dirname, '../migrations'),
      // The relay listens.
      connections: (read) => databaseConnections(read, { held: 1, usual: 10 }),
      outbox: true,
    },
  },
  settings: (read) => ({
    cachedNodes: read.int('ALARM_CACHED_NODES', { min: 1_000, max: 10_000_000, fallback: 100_000 }),
  }),
});
