import { type ReasonOf, unavailable } from '@catchment/errors';
import { FairOrder, type Flow, nextFlow } from './fair-order.ts';

export type FairQueueOptions = {
  /** Refusals have this stable word, such as TOO_MANY_LISTS. */
  readonly reason: ReasonOf<'unavailable'>;
  /** Cost of all the work that may go on at a time. */
  readonly capacity: number;
  /**
   * Cost of one account's work that may go on at a time; half of the capacity where absent, so that what one account does, however
   * slowly its clients take their answers, never keeps everybody else from beginning. The platform leaves one unit to the others.
   */
  readonly perAccount?: number;
  /** Cost of one account's work in bulk that may go on at a time; three quarters of `perAccount` where absent. The rest is for its other work. */
  readonly bulkPerAccount?: number;
  /** Limits of waiting requests: of one account, and in all. */
  readonly waitingPerAccount: number;
  readonly waiting: number;
  /** Longest wait; below the deadline of calls, so that callers get the reason of the refusal. */
  readonly waitMs: number;
};

export type Work = {
  /** The work takes the turn of this account; `PLATFORM` for the platform's own work. */
  readonly account: string;
  /** Units of `capacity`. More than the capacity counts as all of it: such work goes on alone. */
  readonly cost: number;
  /** Work of one account takes turns by lane: single writes do not wait for all of its lists. */
  readonly lane?: string;
  /** Large work, of which an account asks for much at once: it leaves a part of the account's share to small work. */
  readonly isBulk?: boolean;
  /** Shortens the queue's wait. */
  readonly waitMs?: number;
  /** Ends the wait. */
  readonly signal?: AbortSignal | undefined;
};

/** Ends a piece of work, or all of it but a part. */
export type Leave = (keptCost?: number) => void;

/** The platform is one account among the others, with the same rights. */
export const PLATFORM = '';

type Patience = Pick<Work, 'signal' | 'waitMs'>;
type Asked = { readonly cost: number; readonly isBulk: boolean };
type Waiting = Asked & { readonly begin: () => void; readonly refuse: (error: unknown) => void };
type Lane = Flow & { readonly waiting: Waiting[] };
type Account = Flow & {
  readonly lanes: Map<string, Lane>;
  readonly order: FairOrder;
  /** Cost that it may have in work, and of that in bulk. */
  readonly share: number;
  readonly bulkShare: number;
  inWork: number;
  bulkInWork: number;
  waiting: number;
};

/** Accounts without work whose past use is remembered, and lanes of an account. */
const REMEMBERED = 1_000;
const REMEMBERED_LANES = 16;

/**
 * Admission to work that costs much. Accounts take turns by what their work costs, lanes of an account likewise; whose turn it is
 * waits for room, and no request overtakes it; work in bulk that waits for the rest of its account's lets small work pass. A full queue
 * refuses a request of the account that has most in it, and an account that has filled its part one of its longest lane.
 */
export class FairQueue {
  readonly #options: FairQueueOptions;
  readonly #perAccount: number;
  readonly #bulkPerAccount: number;
  readonly #accounts = new Map<string, Account>();
  readonly #order = new FairOrder();
  #inWork = 0;
  #waiting = 0;
  #forgetAbove = REMEMBERED;

  constructor(options: FairQueueOptions) {
    this.#options = options;
    this.#perAccount = options.perAccount ?? Math.max(1, Math.ceil(options.capacity / 2));
    this.#bulkPerAccount = options.bulkPerAccount ?? Math.max(1, Math.floor(this.#perAccount * 0.75));
  }

  /** Returns the cost of the work that goes on, and how many wait. */
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
  async enter({ account: name, cost: given, lane: laneName = '', isBulk = false, ...patience }: Work): Promise<Leave> {
    patience.signal?.throwIfAborted();
    const cost = Math.min(exact(given), this.#options.capacity);
    const asked = { cost, isBulk };
    const account = this.#accountOf(name);
    const lane = laneOf(account, laneName);
    const hasRoom = () =>
      this.#waiting === 0 && isFree(account, asked) && this.#inWork + cost <= this.#options.capacity;
    if (account.waiting === 0) this.#order.join(account);
    if (lane.waiting.length === 0) account.order.join(lane);
    if (hasRoom()) this.#begin(account, lane, asked);
    else await this.#wait(account, lane, asked, patience);
    let held = cost;
    return (keptCost = 0) => {
      const kept = exact(keptCost);
      if (kept >= held) return;
      this.#inWork -= held - kept;
      account.inWork -= held - kept;
      if (isBulk) account.bulkInWork -= held - kept;
      held = kept;
      this.#letIn();
      this.#forget();
    };
  }

  async #wait(account: Account, lane: Lane, asked: Asked, { signal, waitMs }: Patience): Promise<void> {
    this.#makeRoom(account, lane);
    const turn = Promise.withResolvers<void>();
    const waiting = { ...asked, begin: turn.resolve, refuse: turn.reject };
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

  /**
   * @throws DomainError unavailable when the account has as much waiting as it may, and as much in this lane as in any; or as anybody has in a
   *   full queue
   */
  #makeRoom(account: Account, lane: Lane): void {
    const { reason, waiting, waitingPerAccount } = this.#options;
    if (account.waiting >= waitingPerAccount) {
      const fullest = longestLane(account);
      if (fullest.waiting.length <= lane.waiting.length + 1) throw unavailable(reason);
      this.#refuseLast(account, fullest);
      return;
    }
    if (this.#waiting < waiting) return;
    let longest = account;
    for (const account of this.#accounts.values()) if (account.waiting > longest.waiting) longest = account;
    if (longest.waiting <= account.waiting + 1) throw unavailable(reason);
    this.#refuseLast(longest, longestLane(longest));
  }

  #refuseLast(account: Account, lane: Lane): void {
    const last = lane.waiting.at(-1);
    if (!last) return;
    this.#remove(account, lane, last);
    last.refuse(unavailable(this.#options.reason));
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
      const account = nextFlow(this.#accounts.values(), (account) => this.#mayBegin(account));
      const lane = account && nextLane(account);
      const [first] = lane?.waiting ?? [];
      if (!account || !lane || !first || this.#inWork + first.cost > this.#options.capacity) return;
      lane.waiting.shift();
      account.waiting -= 1;
      this.#waiting -= 1;
      this.#begin(account, lane, first);
      first.begin();
    }
  }

  #mayBegin(account: Account): boolean {
    if (account.waiting === 0) return false;
    const [first] = nextLane(account)?.waiting ?? [];
    return first !== undefined && isFree(account, first);
  }

  #begin(account: Account, lane: Lane, { cost, isBulk }: Asked): void {
    this.#order.charge(account, cost);
    account.order.charge(lane, cost);
    account.inWork += cost;
    if (isBulk) account.bulkInWork += cost;
    this.#inWork += cost;
  }

  #accountOf(name: string): Account {
    const known = this.#accounts.get(name);
    if (known) return known;
    const share = name === PLATFORM ? this.#options.capacity - 1 : this.#perAccount;
    const bulkShare = name === PLATFORM ? share : this.#bulkPerAccount;
    const none = { inWork: 0, bulkInWork: 0, waiting: 0 };
    const account = { start: 0, lanes: new Map(), order: new FairOrder(), share, bulkShare, ...none };
    this.#accounts.set(name, account);
    return account;
  }

  #forget(): void {
    if (this.#accounts.size <= this.#forgetAbove) return;
    for (const [name, account] of this.#accounts)
      if (account.waiting === 0 && account.inWork === 0 && this.#order.isForgettable(account))
        this.#accounts.delete(name);
    this.#forgetAbove = Math.max(REMEMBERED, 2 * this.#accounts.size);
  }
}

/** Costs in steps that add up without rounding: exactly the amount that was taken is returned. */
const exact = (cost: number): number => Math.ceil(Math.max(0, cost) * 1024) / 1024;

/** Work that is more than a share goes on when nothing else of the share does. */
const fits = (inWork: number, cost: number, share: number): boolean => inWork === 0 || inWork + cost <= share;

const isBulkFree = ({ bulkInWork, bulkShare }: Account, { cost, isBulk }: Asked): boolean =>
  !isBulk || fits(bulkInWork, cost, bulkShare);

const isFree = (account: Account, asked: Asked): boolean =>
  fits(account.inWork, asked.cost, account.share) && isBulkFree(account, asked);

/** Returns the lane whose turn it is: bulk that waits for bulk is passed over. */
const nextLane = (account: Account): Lane | undefined =>
  nextFlow(account.lanes.values(), ({ waiting: [first] }) => first !== undefined && isBulkFree(account, first));

function longestLane({ lanes }: Account): Lane {
  let longest: Lane = { start: 0, waiting: [] };
  for (const lane of lanes.values()) if (lane.waiting.length > longest.waiting.length) longest = lane;
  return longest;
}

function laneOf(account: Account, name: string): Lane {
  const known = account.lanes.get(name);
  if (known) return known;
  const { lanes, order } = account;
  if (lanes.size >= REMEMBERED_LANES)
    for (const [other, lane] of lanes) if (lane.waiting.length === 0 && order.isForgettable(lane)) lanes.delete(other);
  const lane = { start: 0, waiting: [] };
  lanes.set(name, lane);
  return lane;
}
