import { type DomainError, unavailable } from '@catchment/errors';

/** A larger body has its memory from another pool, so that small ones always find room. */
export const SMALL_BODY_BYTES = 64 * 1024;

/** The payer for the memory of a body is an account whose key was checked, or whoever sends from an address. */
export type Payer = { readonly account: string } | { readonly address: string };

export type BodyClaim = {
  /** @throws DomainError unavailable: the payer's share is used up, or all of it is */
  take(bytes: number): void;
  /** Gives all of it back; may be called more than once. */
  release(): void;
};

/** Each pool has this much of all the memory. */
const PARTS = { account: { small: 1 / 8, large: 5 / 8 }, address: { small: 1 / 8, large: 1 / 8 } } as const;
type PayerKind = keyof typeof PARTS;

const TEXTS = {
  account: {
    ofShare: 'bodies of the account that are on their way fill its share of the memory',
    ofAll: 'bodies of all accounts that are on their way fill the memory for them',
  },
  address: {
    ofShare: 'bodies from this address that come without a checked key fill its share of the memory',
    ofAll: 'bodies that come without a checked key fill the memory for them',
  },
} as const;
const ADVICE = 'send it again when some of them have ended, or send fewer or smaller ones at a time';

/**
 * Bounds the memory of all request bodies together. Strangers have a part of their own, and in each part small bodies have one that large
 * ones never take. Nobody ever takes more of a part than is left free, so that there is always room for somebody else.
 */
export class BodyBudget {
  readonly #pools: Readonly<Record<PayerKind, { readonly small: Pool; readonly large: Pool }>>;

  constructor(totalBytes: number) {
    const poolsOf = (kind: PayerKind) => ({
      small: new Pool(Math.floor(totalBytes * PARTS[kind].small)),
      large: new Pool(Math.floor(totalBytes * PARTS[kind].large)),
    });
    this.#pools = { account: poolsOf('account'), address: poolsOf('address') };
  }

  get freeBytes(): number {
    return Object.values(this.#pools).reduce((sum, { small, large }) => sum + small.freeBytes + large.freeBytes, 0);
  }

  /** The memory of one request. */
  open(payer: Payer): BodyClaim {
    const [kind, name] =
      'account' in payer ? (['account', payer.account] as const) : (['address', payer.address] as const);
    const pools = this.#pools[kind];
    const taken = { small: 0, large: 0 };
    const move = (pool: 'small' | 'large', bytes: number) => {
      pools[pool].add(name, bytes);
      taken[pool] += bytes;
    };
    return {
      take: (bytes) => {
        const isSmall = taken.small + taken.large + bytes <= SMALL_BODY_BYTES;
        if (isSmall && pools.small.shortOf(name, bytes) === undefined) return move('small', bytes);
        // A body that has become a large one gives its place among the small ones back.
        const moved = isSmall ? 0 : taken.small;
        const short = pools.large.shortOf(name, moved + bytes);
        if (short !== undefined) throw refusal(kind, short);
        move('large', moved + bytes);
        move('small', -moved);
      },
      release: () => {
        move('small', -taken.small);
        move('large', -taken.large);
      },
    };
  }
}

const refusal = (kind: PayerKind, short: 'ofShare' | 'ofAll'): DomainError =>
  unavailable('BODY_MEMORY_FULL', { message: `Service temporarily unavailable: ${TEXTS[kind][short]}; ${ADVICE}` });

/** Memory that several take from. */
class Pool {
  readonly #taken = new Map<string, number>();
  freeBytes: number;

  constructor(bytes: number) {
    this.freeBytes = bytes;
  }

  /** Returns which limit is too small for this many bytes more; undefined = there is room. */
  shortOf(name: string, bytes: number): 'ofShare' | 'ofAll' | undefined {
    const taken = this.#taken.get(name) ?? 0;
    // A payer that has nothing yet may take the last of it.
    if (taken > 0 && taken + bytes > this.freeBytes - bytes) return 'ofShare';
    return bytes > this.freeBytes ? 'ofAll' : undefined;
  }

  add(name: string, bytes: number): void {
    const all = (this.#taken.get(name) ?? 0) + bytes;
    this.freeBytes -= bytes;
    if (all === 0) this.#taken.delete(name);
    else this.#taken.set(name, all);
  }
}
