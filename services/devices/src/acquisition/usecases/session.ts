import { settingsOf, type TransportName } from '@catchment/contracts/transports';
import type { Logger } from '@catchment/telemetry';
import { deliverFile } from '../../files/index.ts';
import {
  type AcquiredSource,
  type Acquisition,
  after,
  gotThrough,
  type PendingControl,
  sessionKind,
  shownDuration,
  toTheEnd,
} from '../../schedules/index.ts';
import {
  type AcquisitionNodes,
  type AcquisitionSettings,
  acquisitions,
  type WriteToSource,
} from '../../sources/index.ts';
import { acquiredSource } from '../domain/acquired-source.ts';
import { afterFailure, wasTried } from './after-failure.ts';
import type { Drivers } from './drivers.ts';
import { endedBy } from './ended-by.ts';
import { takeOver } from './follow-acquisition.ts';
import { HeldSource, isTaken } from './held-source.ts';
import type { Store, Stored } from './ports.ts';
import {
  CommunicationFailure,
  type FileTransport,
  FinalFailure,
  type PipeTransport,
  type SessionSource,
} from './session-ports.ts';
import { progressOf } from './session-progress.ts';

export type SessionDeps = {
  readonly store: Store;
  readonly nodes: AcquisitionNodes;
  readonly write: WriteToSource;
  readonly drivers: Drivers;
  /** A file waits for its turn. */
  readonly wakeFiles: () => void;
  readonly log: Logger;
  readonly now: () => number;
};

/** Whatever a transport or driver allows: no session holds its place for ever. */
const SESSION_MAX_MS = 60 * 60_000;
const MISSING = 'Protocol not available';

/**
 * Runs one session of a source, which this process has the lease of, from QUEUED to rest, PROCESSING, RETRYING or FAILED. Every step is a
 * transaction that holds the source and makes sure of the lease, so that who has lost it changes nothing.
 */
export class Session {
  readonly #deps: SessionDeps;
  readonly #source: Acquisition & { readonly leaseId: string };
  readonly #held: HeldSource;
  readonly #signal: AbortSignal;
  #settings: AcquisitionSettings | undefined;
  /** Bytes or records have come. */
  #received = false;
  /** These values are to be sent in this session. */
  #controls: readonly PendingControl[] = [];

  /** @param signal aborts when the lease is lost, the source is disabled, or the process stops */
  constructor(deps: SessionDeps, claimed: Acquisition & { readonly leaseId: string }, signal: AbortSignal) {
    this.#deps = deps;
    this.#source = claimed;
    this.#held = new HeldSource(deps, claimed);
    this.#signal = signal;
  }

  /** All sessions have the same until one has succeeded: what broke off is the same acquisition when it goes on. */
  get #acquisitionId(): string {
    return `${this.#source.sourceId}.${this.#source.successes}`;
  }

  /** Never throws. Whoever loses the lease, or stops, leaves the source to others. */
  async run(): Promise<void> {
    try {
      await this.#acquire();
    } catch (error) {
      await this.#failed(error).catch((err: unknown) => {
        if (!isTaken(err))
          this.#deps.log.warn({ err, sourceId: this.#source.sourceId }, 'end of a session was not stored');
      });
    }
  }

  async #acquire(): Promise<void> {
    const settings = await this.#deps.nodes.acquisition(this.#source);
    // Gone, or in a template by now: the message about it is on its way.
    if (!settings)
      return this.#held.change((known) => [after(known, 'restarted', this.#deps.now()) ?? known, { shows: true }]);
    const fresh = settings.source && acquiredSource(settings.source);
    if (fresh && fresh.nodeRevision > this.#source.nodeRevision) return this.#beginAnew(fresh);
    this.#settings = settings;
    const limit = AbortSignal.timeout(SESSION_MAX_MS);
    const signal = AbortSignal.any([this.#signal, limit]);
    const isFetched = sessionKind(this.#source) === 'FILES';
    try {
      await endedBy(signal, isFetched ? this.#fetch(settings, signal) : this.#speak(settings, signal));
    } catch (error) {
      throw limit.aborted ? new CommunicationFailure(`not done after ${shownDuration(SESSION_MAX_MS)}`) : error;
    }
    this.#signal.throwIfAborted();
    await this.#end();
  }

  /** The source was changed, and the message about it is on its way: it is claimed again as it is now. */
  async #beginAnew(source: AcquiredSource): Promise<void> {
    const { store, now } = this.#deps;
    await store.transaction(async (tx) => {
      await this.#held.locked(tx);
      if (await takeOver(tx, source, now())) return;
      const known = await this.#held.locked(tx);
      await tx.saveAcquisition({ ...known, leaseId: null, instanceId: null, nextMs: now() });
    });
  }

  async #fetch(settings: AcquisitionSettings, signal: AbortSignal): Promise<void> {
    const { drivers, now } = this.#deps;
    const { transport, of } = this.#transport<FileTransport>(drivers.files, settings);
    const source = this.#sessionSource(settings);
    const { files } = settings;
    await this.#begin(of && transport?.target(of, source));
    if (!transport || !of || !drivers.collect || !files) throw new FinalFailure(MISSING);
    const connection = await transport.connect(of, source, signal);
    try {
      await this.#held.move('connected');
      await drivers.collect(connection, {
        source,
        files,
        now,
        signal,
        progress: { event: (level, message, timeMs) => this.#held.event(level, message, timeMs) },
        deliver: async (file) => {
          const completed = async (tx: Stored, sizeBytes: number) => {
            await this.#held.locked(tx);
            await file.completed?.(tx, sizeBytes);
          };
          const of = { inSession: true, acquisitionId: this.#acquisitionId };
          const fileOfSession = { ...file, source: { ...file.source, ...of }, completed };
          const delivered = await deliverFile({ ...this.#deps, wake: this.#deps.wakeFiles }, fileOfSession);
          if (delivered) this.#received = true;
          return delivered;
        },
      });
    } finally {
      await connection.close();
    }
  }

  async #speak(settings: AcquisitionSettings, signal: AbortSignal): Promise<void> {
    const { drivers, now, store } = this.#deps;
    const { transport, of } = this.#transport<PipeTransport>(drivers.pipes, settings);
    const driver = drivers.loggers.find(({ sourceClass }) => sourceClass === this.#source.sourceClass);
    const source = this.#sessionSource(settings);
    await this.#begin(of && transport?.target(of, source));
    if (!transport || !of || !driver) throw new FinalFailure(MISSING);
    this.#controls = await store.pendingControls(source.sourceId);
    const progress = progressOf(this.#deps, {
      claimed: this.#source,
      held: this.#held,
      acquisitionId: this.#acquisitionId,
      memory: await store.readMemory(source.sourceId),
      received: () => {
        this.#received = true;
      },
    });
    const pipe = await transport.connect(of, source, signal);
    // Its errors reach the driver by its reads and writes; one that comes after them must not end the process.
    pipe.on('error', () => {});
    try {
      const { collects } = this.#source;
      await driver.run(pipe, { source, controls: this.#controls, collects, progress, now, signal });
    } finally {
      pipe.destroy();
    }
  }

  #transport<T extends { readonly name: TransportName }>(
    rows: readonly T[],
    { transport: known }: AcquisitionSettings,
  ) {
    const transport = rows.find(({ name }) => name === this.#source.transport);
    const of = transport && known?.settings && settingsOf(transport.name, known.settings);
    return { transport, of };
  }

  #sessionSource({ attributes, files }: AcquisitionSettings): SessionSource {
    const { sourceId, ownerId, workspaceId, sourceClass, name } = this.#source;
    return { sourceId, ownerId, workspaceId, sourceClass, name, attributes, ...(files && { files }) };
  }

  /** QUEUED → CONNECTING: an attempt, whatever becomes of it. */
  #begin(target: string | undefined): Promise<void> {
    const nowMs = this.#deps.now();
    return this.#held.change((known) => {
      const connecting = after(known, 'free', nowMs) ?? known;
      const events = target === undefined ? [] : [this.#held.eventOf('DEBUG', `Connecting to ${target}`)];
      const attempt = { attempts: known.attempts + 1, lastAttemptMs: nowMs, recordCount: 0 };
      return [
        { ...connecting, ...attempt },
        { shows: true, events },
      ];
    });
  }

  /** All went well. */
  async #end(): Promise<void> {
    const nowMs = this.#deps.now();
    const { collects, sourceId } = this.#source;
    await this.#held.change(async (known, tx) => {
      const isStored = !(await tx.hasWaitingFiles(sourceId));
      const counted = { ...known, successes: known.successes + 1, lastSuccessMs: nowMs };
      const events = toTheEnd(known.status, { collects, received: this.#received, isStored });
      let ended: Acquisition = counted;
      for (const event of events) ended = after(ended, event, nowMs) ?? ended;
      const isReported = collects && !this.#received && sessionKind(known) === 'LOGGER';
      const nothing = isReported ? { events: [this.#held.eventOf('DEBUG', 'No new records')] } : {};
      if (ended.status === 'PROCESSING')
        return [
          { ...ended, leaseId: null, instanceId: null },
          { ...nothing, shows: true },
        ];
      const counts = collects ? { lastRecordCount: ended.recordCount } : {};
      const [rest, reported] = gotThrough({ ...ended, ...counts }, nowMs, nothing);
      return [(await this.#wanted(known, rest, tx)) ?? rest, reported];
    });
    acquisitions.add({ transport: this.#source.transport, outcome: 'ok' });
  }

  /** Decides about what came to be wanted during the session. */
  async #wanted(known: Acquisition, rest: Acquisition, tx: Stored): Promise<Acquisition | undefined> {
    const nowMs = this.#deps.now();
    if (known.collects && !this.#source.collects) return after(rest, 'acquire', nowMs);
    const isNew = (control: PendingControl) =>
      !this.#controls.some(({ nodeId, revision }) => nodeId === control.nodeId && revision === control.revision);
    if (sessionKind(rest) !== 'LOGGER' || !(await tx.pendingControls(rest.sourceId)).some(isNew)) return undefined;
    return after(rest, 'pending', nowMs);
  }

  async #failed(error: unknown): Promise<void> {
    const { log, now } = this.#deps;
    if (this.#signal.aborted || isTaken(error)) return;
    const nowMs = now();
    const { sourceId } = this.#source;
    if (!(error instanceof CommunicationFailure)) log.warn({ err: error, sourceId }, 'session failed');
    let isTried = true;
    await this.#held.change((known) => {
      isTried = wasTried(known, error);
      const attributes = this.#settings?.attributes ?? {};
      return afterFailure(known, { error, attributes, nowMs, eventOf: (...of) => this.#held.eventOf(...of) });
    });
    if (isTried) acquisitions.add({ transport: this.#source.transport, outcome: 'failed' });
  }
}
