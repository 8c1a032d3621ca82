import { DomainError } from '@catchment/errors';
import { type Acquisition, after, type News, type StatusEvent } from '../../schedules/index.ts';
import type { SourceEvent } from '../../sources/index.ts';
import type { Store, Stored } from './ports.ts';

type HeldDeps = { readonly store: Store; readonly now: () => number };

export type Change = readonly [acquisition: Acquisition, reported: News];

const TAKEN = 'SESSION_TAKEN';
export const taken = (): DomainError =>
  new DomainError('cancelled', TAKEN, 'The session of the source is another one by now, or it is disabled');
/** Returns whether another session has the source by now. */
export const isTaken = (error: unknown): boolean => error instanceof DomainError && error.reason === TAKEN;

/** A session has the lease of the source. Every step is a transaction that holds the source and makes sure of the lease. */
export class HeldSource {
  readonly #deps: HeldDeps;
  /** The source had this state when it was claimed. */
  readonly #claimed: Acquisition;
  readonly #leaseId: string;

  constructor(deps: HeldDeps, claimed: Acquisition & { readonly leaseId: string }) {
    this.#deps = deps;
    this.#claimed = claimed;
    this.#leaseId = claimed.leaseId;
  }

  /** The source now. @throws DomainError cancelled where the lease is lost */
  async locked(on: Pick<Stored, 'lockAcquisition'>): Promise<Acquisition> {
    const known = await on.lockAcquisition(this.#claimed.sourceId);
    if (known === undefined || known === 'deleted' || known.leaseId !== this.#leaseId) throw taken();
    return known;
  }

  async change(work: (known: Acquisition, tx: Stored) => Change | Promise<Change>): Promise<void> {
    await this.#deps.store.transaction(async (tx) => {
      const [acquisition, reported] = await work(await this.locked(tx), tx);
      await tx.saveAcquisition(acquisition, reported);
    });
  }

  move(event: StatusEvent): Promise<void> {
    return this.change((known) => [after(known, event, this.#deps.now()) ?? known, { shows: true }]);
  }

  event(level: SourceEvent['level'], message: string, timeMs?: number): Promise<void> {
    return this.change((known) => [known, { events: [this.eventOf(level, message, timeMs)] }]);
  }

  eventOf(level: SourceEvent['level'], message: string, timeMs = this.#deps.now()): SourceEvent {
    return { source: this.#claimed, level, message, timeMs };
  }
}
