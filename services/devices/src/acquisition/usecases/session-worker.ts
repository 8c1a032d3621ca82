import { randomUUID } from 'node:crypto';
import { DomainError } from '@catchment/errors';
import { type Repeated, repeat } from '@catchment/service';
import { type Acquisition, after } from '../../schedules/index.ts';
import { Session, type SessionDeps } from './session.ts';

export type SessionWorkerDeps = SessionDeps & {
  /** The process's identity is never used twice. */
  readonly instanceId: string;
  /** This process runs at most this many sessions at a time. */
  readonly sessions: number;
  /** An account has at most this many sessions at a time, over all replicas. */
  readonly sessionsPerAccount: number;
};

/** A look into an index is all that this costs while nothing is due. */
const LOOK_EVERY_MS = 1_000;
/** The lease is renewed three times within the time after which the process is taken for dead. */
const RENEW_EVERY_MS = 7_000;
/** A process without an answer for this long is nearly taken for dead, and ends its sessions itself. */
const UNRENEWED_MAX_MS = 18_000;
const WATCH_EVERY_MS = 2_000;
/** This many abandoned sessions are taken at a time. */
const ABANDONED = 100;
/** A source that waits longer for its turn is shown as QUEUED. */
const SHOWN_AFTER_MS = 2_000;
const SHOWN = 200;

type Running = { readonly sourceId: string; readonly abort: AbortController; readonly ended: Promise<void> };

/** Runs the sessions of sources whose time has come: what there is to do is in the store, so any replica may do it. */
export class SessionWorker {
  readonly #deps: SessionWorkerDeps;
  /** The key is the lease. */
  readonly #running = new Map<string, Running>();
  readonly #stopping = new AbortController();
  #loops: Repeated[] = [];
  #renewedMs = 0;
  #shownMs = Number.NEGATIVE_INFINITY;

  constructor(deps: SessionWorkerDeps) {
    this.#deps = deps;
  }

  async start(): Promise<void> {
    const { log } = this.#deps;
    await this.#renew();
    const every = (task: () => Promise<unknown>, everyMs: number, failed: string) =>
      repeat(task, { everyMs, failed, log });
    this.#loops = [
      every(() => this.#look(), LOOK_EVERY_MS, 'due sources could not be claimed'),
      every(() => this.#renew(), RENEW_EVERY_MS, 'the lease of sessions could not be renewed'),
      every(() => this.#watch(), WATCH_EVERY_MS, 'sessions could not be watched'),
    ];
  }

  /** There is, or may be, something to do. */
  wake(): void {
    this.#loops[0]?.wake();
  }

  /** The source is another one's, disabled or gone. */
  abandon(sourceId: string): void {
    for (const running of this.#running.values()) if (running.sourceId === sourceId) running.abort.abort(ended());
  }

  /** Ends its sessions without an error, and leaves their sources to others. */
  async stop(): Promise<void> {
    this.#stopping.abort(ended());
    await Promise.all(this.#loops.map((loop) => loop.stop()));
    await Promise.all([...this.#running.values()].map((running) => running.ended));
    await this.#deps.store.dropAcquirer(this.#deps.instanceId);
    await this.#takeAbandoned();
  }

  async #look(): Promise<void> {
    const { store, now, sessions } = this.#deps;
    const free = sessions - this.#running.size;
    if (this.#stopping.signal.aborted || !(await store.isAcquisitionDue(now()))) return;
    const claimed = free > 0 ? await this.#claim(free) : [];
    for (const acquisition of claimed) this.#run(acquisition);
    await this.#showWaiting();
  }

  async #claim(limit: number): Promise<(Acquisition & { leaseId: string })[]> {
    const { store, now, instanceId, sessionsPerAccount: perAccount } = this.#deps;
    return store.transaction(async (tx) => {
      await tx.lockClaims();
      const nowMs = now();
      const due = await tx.dueAcquisitions({ nowMs, limit, perAccount, instanceId });
      const claimed = due.map((known) => {
        const queued = queuedOf(known, nowMs) ?? known;
        return { ...queued, nextMs: null, leaseId: randomUUID(), instanceId };
      });
      for (const acquisition of claimed) await tx.saveAcquisition(acquisition);
      return claimed;
    });
  }

  #run(acquisition: Acquisition & { leaseId: string }): void {
    const abort = new AbortController();
    const { leaseId, sourceId } = acquisition;
    const signal = AbortSignal.any([abort.signal, this.#stopping.signal]);
    const ended = new Session(this.#deps, acquisition, signal).run().finally(() => {
      this.#running.delete(leaseId);
      this.wake();
    });
    this.#running.set(leaseId, { sourceId, abort, ended });
  }

  /** Shows sources that could not be claimed: no place is free, or their account or device is busy. */
  async #showWaiting(): Promise<void> {
    const { store, now } = this.#deps;
    if (performance.now() - this.#shownMs < LOOK_EVERY_MS) return;
    this.#shownMs = performance.now();
    await store.transaction(async (tx) => {
      for (const known of await tx.waitingAcquisitions(now() - SHOWN_AFTER_MS, SHOWN)) {
        const queued = queuedOf(known, now());
        // It keeps its place in the line.
        if (queued) await tx.saveAcquisition({ ...queued, nextMs: known.nextMs }, { shows: true });
      }
    });
  }

  async #renew(): Promise<void> {
    try {
      await this.#deps.store.renewAcquirer(this.#deps.instanceId);
      this.#renewedMs = performance.now();
    } finally {
      if (performance.now() - this.#renewedMs > UNRENEWED_MAX_MS)
        for (const { abort } of this.#running.values()) abort.abort(ended());
    }
  }

  /** Frees the sources of dead processes, and ends what this one has lost. */
  async #watch(): Promise<boolean> {
    const isMore = await this.#takeAbandoned();
    const leases = [...this.#running.keys()];
    if (leases.length > 0) {
      const held = await this.#deps.store.heldLeases(leases);
      for (const lease of leases) if (!held.has(lease)) this.#running.get(lease)?.abort.abort(ended());
    }
    return isMore;
  }

  /** @returns whether there may be more */
  async #takeAbandoned(): Promise<boolean> {
    const { store, now } = this.#deps;
    const taken = await store.transaction(async (tx) => {
      const nowMs = now();
      const abandoned = await tx.abandonedAcquisitions(ABANDONED);
      for (const known of abandoned) {
        const rest = after(known, 'restarted', nowMs) ?? { ...known, leaseId: null, instanceId: null };
        // An acquisition that was under way is begun again; a retry is dropped.
        const again = known.leaseId === null ? undefined : after(rest, known.collects ? 'due' : 'pending', nowMs);
        await tx.saveAcquisition(again ?? rest, { shows: true });
      }
      return abandoned.length;
    });
    if (taken > 0) this.wake();
    return taken === ABANDONED;
  }
}

const queuedOf = (known: Acquisition, nowMs: number): Acquisition | undefined =>
  after(known, known.status === 'RETRYING' ? 'delay over' : 'due', nowMs);

const ended = (): DomainError => new DomainError('cancelled', 'SESSION_TAKEN', 'The session has ended');
