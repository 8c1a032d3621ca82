import { join } from 'node:path';
import { readClassNamespace } from '@catchment/config';
import { allowedRanges } from '@catchment/egress';
import { databaseConnections } from '@catchment/pg';
import { serviceConfig } from '@catchment/service';
import { acquisitionSettings } from './acquisition/index.ts';
import { pakBusSettings } from './loggers/index.ts';
import { modemSettings } from './modems/index.ts';
import { receiverSettings } from './receivers.ts';
import { remoteSettings } from './remote/index.ts';
import { uploadSettings } from './uploads/index.ts';

/** Reads what devices uses, and its settings; see README. */
export const config = serviceConfig({
  name: 'devices',
  uses: {
    peers: ['nodes', 'historic'],
    // Expressions and decoders need processing; previews of pictures render.
    optionalPeers: ['processing', 'render'],
    bus: {},
    database: {
      migrations: join(import.meta.dirname, '../migrations'),
      // The relay listens, and the connections of devices.
      connections: (read) => databaseConnections(read, { held: 2, usual: 10 }),
      outbox: true,
    },
  },
  settings: (read) => ({
    classNamespace: readClassNamespace(read),
    ...acquisitionSettings(read),
    ...modemSettings(read),
    remote: remoteSettings(read),
    egressRanges: allowedRanges(read, 'EGRESS_ALLOWED_RANGES'),
    scoutPublicHost: read.optionalText('SCOUT_PUBLIC_HOST'),
    ...receiverSettings(read),
    uploads: uploadSettings(read),
    pakBus: pakBusSettings(read),
  }),
});
