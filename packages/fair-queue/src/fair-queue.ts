import { type ReasonOf, unavailable } from '@catchment/errors';
import { nextTurn, type Turn, Turns } from './turns.ts';

export type FairQueueOptions = {
  /** Stable word of refusals: TOO_MANY_LISTS, for example. */
  readonly reason: ReasonOf<'unavailable'>;
  /** Cost of all the work that may go on at a time. */
  readonly capacity: number;
  /**
   * Cost of one account's work that may go on at a time; half of the capacity where absent, so that what one account does, however
   * slowly its clients take their answers, never keeps everybody else from beginning. The platform leaves one unit to the others.
   */
  readonly perAccount?: number;
  /** Limits of waiting requests: of one account, and in all. */
  readonly waitingPerAccount: number;
  readonly waiting: number;
  /** Longest wait; below the deadline of calls, so that callers get the reason of the refusal. */
  readonly waitMs: number;
};

export type Work = {
  /** Whose turn it takes; `PLATFORM` for the platform's own work. */
  readonly account: string;
  /** In units of `capacity`. More than the capacity counts as all of it: such work goes on alone. */
  readonly cost: number;
  /** Work of one account takes turns by lane: single writes do not wait for all of its lists. */
  readonly lane?: string;
  /** A shorter wait than the queue's. */
  readonly waitMs?: number;
  /** Ends the wait. */
  readonly signal?: AbortSignal | undefined;
};

/** Ends a turn, or all of it but a part. */
export type Leave = (keptCost?: number) => void;

/** The platform is one account among the others, with the same rights. */
export const PLATFORM = '';

type Patience = { readonly signal: AbortSignal | undefined; readonly waitMs: number | undefined };
type Waiting = { readonly cost: number; readonly begin: () => void; readonly refuse: (error: unknown) => void };
type Lane = Turn & { readonly waiting: Waiting[] };
type Account = Turn & {
  readonly lanes: Map<string, Lane>;
  readonly turns: Turns;
  /** Cost that it may have in work. */
  readonly share: number;
  inWork: number;
  waiting: number;
};

/** Accounts without work whose past use is remembered. */
const REMEMBERED = 1_000;

/**
 * Admission to work that costs much. Accounts take turns by what their work costs, lanes of an account likewise; whose turn it is
 * waits for room, and no request overtakes it. A full queue refuses a request of the account that has most in it.
 */
export class FairQueue {
  readonly #options: FairQueueOptions;
  readonly #perAccount: number;
  readonly #accounts = new Map<string, Account>();
  readonly #turns = new Turns();
  #inWork = 0;
  #waiting = 0;
  #forgetAbove = REMEMBERED;

  constructor(options: FairQueueOptions) {
    this.#options = options;
    this.#perAccount = options.perAccount ?? Math.max(1, Math.ceil(options.capacity / 2));
  }

  /** Cost of the work that goes on, and how many wait. */
  get load(): { readonly inWork: number; readonly waiting: number } {
    return { inWork: this.#inWork, waiting: this.#waiting };
  }

  /** Runs `work` in its turn. @throws DomainError as `enter` does */
  async run<T>(asked: Work, work: () => Promise<T>): Promise<T> {
    const leave = await this.enter(asked);
    try {
      return await work();
    } finally {
      leave();
    }
  }

  /**
   * Waits for a turn; resolves with what ends it, which must be called once the work holds nothing any more. Called with a cost, it
   * keeps that much of the turn: a chart that is drawn holds the picture only.
   * @throws DomainError unavailable when too many wait, or its turn did not come in time; the signal's reason when it aborts
   */
  async enter({ account: name, cost: asked, lane: laneName = '', signal, waitMs }: Work): Promise<Leave> {
    signal?.throwIfAborted();
    const cost = Math.min(exact(asked), this.#options.capacity);
    const account = this.#accountOf(name);
    const lane = laneOf(account, laneName);
    const hasRoom = () => this.#waiting === 0 && fits(account, cost) && this.#inWork + cost <= this.#options.capacity;
    if (account.waiting === 0) this.#turns.join(account);
    if (lane.waiting.length === 0) account.turns.join(lane);
    if (hasRoom()) this.#begin(account, lane, cost);
    else await this.#wait(account, lane, cost, { signal, waitMs });
    let held = cost;
    return (keptCost = 0) => {
      const kept = exact(keptCost);
      if (kept >= held) return;
      this.#inWork -= held - kept;
      account.inWork -= held - kept;
      held = kept;
      this.#letIn();
      this.#forget();
    };
  }

  async #wait(account: Account, lane: Lane, cost: number, { signal, waitMs }: Patience): Promise<void> {
    this.#makeRoom(account);
    const turn = Promise.withResolvers<void>();
    const waiting = { cost, begin: turn.resolve, refuse: turn.reject };
    const leave = (error: unknown) => {
      if (this.#remove(account, lane, waiting)) turn.reject(error);
    };
    const onAbort = () => leave(signal?.reason);
    const limitMs = Math.min(waitMs ?? this.#options.waitMs, this.#options.waitMs);
    const timer = setTimeout(() => leave(unavailable(this.#options.reason)), limitMs).unref();
    signal?.addEventListener('abort', onAbort, { once: true });
    lane.waiting.push(waiting);
    account.waiting += 1;
    this.#waiting += 1;
    // There is room for another account's work where the first in turn has used up its own share.
    this.#letIn();
    try {
      await turn.promise;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      this.#forget();
    }
  }

  /** @throws DomainError unavailable when the account has as much waiting as it may, or as anybody has in a full queue */
  #makeRoom(account: Account): void {
    const { reason, waiting, waitingPerAccount } = this.#options;
    if (account.waiting >= waitingPerAccount) throw unavailable(reason);
    if (this.#waiting < waiting) return;
    let longest = account;
    for (const one of this.#accounts.values()) if (one.waiting > longest.waiting) longest = one;
    if (longest.waiting <= account.waiting + 1) throw unavailable(reason);
    let lane: Lane | undefined;
    for (const one of longest.lanes.values())
      if (lane === undefined || one.waiting.length > lane.waiting.length) lane = one;
    const last = lane?.waiting.at(-1);
    if (!lane || !last) return;
    this.#remove(longest, lane, last);
    last.refuse(unavailable(reason));
  }

  #remove(account: Account, lane: Lane, waiting: Waiting): boolean {
    const place = lane.waiting.indexOf(waiting);
    // Its turn may have come in the same moment.
    if (place < 0) return false;
    lane.waiting.splice(place, 1);
    account.waiting -= 1;
    this.#waiting -= 1;
    // It may have been the one that the others waited behind.
    queueMicrotask(() => this.#letIn());
    return true;
  }

  #letIn(): void {
    while (this.#waiting > 0) {
      const account = nextTurn(this.#accounts.values(), (one) => this.#mayBegin(one));
      const lane = account && nextTurn(account.lanes.values(), hasWaiting);
      const [first] = lane?.waiting ?? [];
      if (!account || !lane || !first || this.#inWork + first.cost > this.#options.capacity) return;
      lane.waiting.shift();
      account.waiting -= 1;
      this.#waiting -= 1;
      this.#begin(account, lane, first.cost);
      first.begin();
    }
  }

  #mayBegin(account: Account): boolean {
    if (account.waiting === 0) return false;
    const [first] = nextTurn(account.lanes.values(), hasWaiting)?.waiting ?? [];
    return first !== undefined && fits(account, first.cost);
  }

  #begin(account: Account, lane: Lane, cost: number): void {
    this.#turns.charge(account, cost);
    account.turns.charge(lane, cost);
    account.inWork += cost;
    this.#inWork += cost;
  }

  #accountOf(name: string): Account {
    const known = this.#accounts.get(name);
    if (known) return known;
    const share = name === PLATFORM ? this.#options.capacity - 1 : this.#perAccount;
    const account = { start: 0, lanes: new Map(), turns: new Turns(), share, inWork: 0, waiting: 0 };
    this.#accounts.set(name, account);
    return account;
  }

  #forget(): void {
    if (this.#accounts.size <= this.#forgetAbove) return;
    for (const [name, account] of this.#accounts)
      if (account.waiting === 0 && account.inWork === 0 && this.#turns.isForgettable(account))
        this.#accounts.delete(name);
    this.#forgetAbove = Math.max(REMEMBERED, 2 * this.#accounts.size);
  }
}

/** Costs in steps that add up without rounding: exactly the amount that was taken is returned. */
const exact = (cost: number): number => Math.ceil(Math.max(0, cost) * 1024) / 1024;

/** Work that is more than an account's share goes on when nothing else of the account does. */
const fits = ({ inWork, share }: Account, cost: number): boolean => inWork === 0 || inWork + cost <= share;

const hasWaiting = ({ waiting }: Lane): boolean => waiting.length > 0;

function laneOf(account: Account, name: string): Lane {
  const known = account.lanes.get(name);
  if (known) return known;
  const lane = { start: 0, waiting: [] };
  account.lanes.set(name, lane);
  return lane;
}
