import { join } from 'node:path';
import { readClassNamespace } from '@catchment/config';
import { allowedRanges } from '@catchment/egress';
import { databaseConnections } from '@catchment/pg';
import { serviceConfig } from '@catchment/service';
import { readKafkaConfig } from './topics/index.ts';

/** Reads what events uses, and its settings; see README. */
export const config = serviceConfig({
  name: 'events',
  uses: {
    peers: ['nodes'],
    bus: {},
    database: {
      migrations: join(import.meta.dirname, '../migrations'),
      connections: (read) => databaseConnections(read, { held: 0, usual: 10 }),
    },
  },
  settings: (read) => ({
    classNamespace: readClassNamespace(read),
    /** 0 = events but DEBUG are kept for ever. */
    retentionDays: read.int('EVENT_DAYS', { min: 0, max: 36_500, fallback: 0 }),
    debugRetentionDays: read.int('EVENT_DEBUG_DAYS', { min: 1, max: 36_500, fallback: 30 }),
    monthsMax: read.int('EVENT_MONTHS_MAX', { min: 3, max: 2_000, fallback: 72 }),
    sweepSeconds: read.int('EVENT_SWEEP_SECONDS', { min: 1, max: 86_400, fallback: 3_600 }),
    webhooks: {
      allowsHttp: read.bool('WEBHOOK_ALLOW_HTTP', { fallback: false }),
      allowedRanges: allowedRanges(read, 'WEBHOOK_ALLOWED_RANGES'),
    },
    kafka: readKafkaConfig(read),
  }),
});
