import { EventEmitter } from 'node:events';
import { gathered } from '@catchment/fair-queue';
import { Admission, FailedIdents, RoundRobin } from '../listening/index.ts';
import { type AckedSeq, type EndedConnection, releaseModems, SecretHasher } from '../registry/index.ts';
import type { ConnectionDeps } from './transport/live-connection.ts';
import { ModemServer } from './transport/modem-server.ts';
import type { ModemSettings } from './transport/modem-settings.ts';
import { modemTransports } from './transport/modem-transports.ts';
import { pipeTransports } from './transport/pipe-transports.ts';

export type { ModemServer } from './transport/modem-server.ts';
export { modemSettings } from './transport/modem-settings.ts';

/** A refusal costs well below this: a derivation and two lookups. */
const REFUSAL_MS = 250;
/** However many modems come at once, few are at the database. Each waits for as long as one keeps its connection. */
const MODEMS = { atOnce: 8, maxWaiting: 1_000_000, maxWaitingEach: 1_000_000 } as const;
/** This many rows of modems are written together, and this many wait meanwhile: some for each modem that a process can have. */
const ROWS = { batch: { items: 1_000 }, waiting: { items: 1_000_000, reason: 'DATABASE_BUSY' } } as const;

type ModemRoomDeps = Pick<ConnectionDeps, 'store' | 'write' | 'memory' | 'instanceId' | 'connected' | 'log' | 'now'>;

/** Serves modems and loggers that call in (docs/reference/devices.md#connections). */
export function openModems(settings: ModemSettings, deps: ModemRoomDeps) {
  const { store, now } = deps;
  const changes = new EventEmitter<{ changed: [] }>();
  const server = new ModemServer({
    ...deps,
    saveAcked: gathered<AckedSeq>((acked) => store.saveAckedSeqs(acked).then(() => []), ROWS),
    release: gathered<EndedConnection>((ended) => releaseModems({ store, now }, ended).then(() => []), ROWS),
    roundRobin: new RoundRobin(MODEMS),
    secrets: new SecretHasher(),
    admission: new Admission(settings),
    failedIdents: new FailedIdents(settings, now),
    refusalMs: REFUSAL_MS,
    identLimitMs: settings.identLimitMs,
    changed: () => void changes.emit('changed'),
  });
  return {
    server,
    transports: modemTransports(server, settings),
    pipes: pipeTransports(server),
    /** Something about devices was changed by any process. */
    onChange: (heard: () => void) => void changes.on('changed', heard),
  };
}
