import type { ApiCaller } from '@catchment/access';
import type { EndReason } from '../../domain/server-sent-events.ts';
import type { PushSink, StreamClient } from './stream-client.ts';

/** Keys that are looked at while nothing comes for their streams, of each call of `tick`. */
const KEYS_OF_TICK = 100;

export type Rights = { readonly caller: ApiCaller } | { readonly end: EndReason };

/** The client follows a stream. */
export type Follower = {
  readonly ownerId: string;
  /** Key or session: followers with the same one have the same rights. */
  readonly keyId: string;
  readonly arguments: Readonly<Record<string, string>>;
  readonly sink: PushSink;
  /**
   * Returns what the caller may do, as it was at most `maxAgeMs` ago.
   * @throws DomainError when that cannot be known at the moment
   */
  readonly rights: (maxAgeMs: number) => Promise<Rights>;
};

export type Client = Omit<Follower, 'sink'> & {
  readonly lane: Lane;
  readonly connection: StreamClient;
  /** All that was sent comes before this place in the stream. */
  cursor: string;
  /** This last place was sent to the client. */
  sentCursor: string;
  /** There may be something to send. */
  isDue: boolean;
  view: string;
};

/** Clients of an account with equal arguments share a lane. */
export type Lane = {
  readonly key: string;
  readonly ownerId: string;
  readonly arguments: Readonly<Record<string, string>>;
  readonly clients: Set<Client>;
  readonly gone: Set<string>;
  isServing: boolean;
  /** The reads of a round took this time. */
  readingMs: number;
};

/** Who follows the streams of one kind: clients by their lane, and by their key. */
export class Followers {
  readonly #lanes = new Map<string, Lane>();
  readonly #keys = new Map<string, Set<Client>>();

  get isEmpty(): boolean {
    return this.#keys.size === 0;
  }

  lanes(): IterableIterator<Lane> {
    return this.#lanes.values();
  }

  /** The accounts of the lanes. */
  accounts(): IteratorObject<string> {
    return this.#lanes.values().map(({ ownerId }) => ownerId);
  }

  all(): Client[] {
    return [...this.#keys.values()].flatMap((clients) => [...clients]);
  }

  /** Returns the lane of a follower; the first one makes it. */
  laneOf({ ownerId, arguments: given }: Follower): Lane {
    const key = JSON.stringify([ownerId, given]);
    const known = this.#lanes.get(key);
    if (known) return known;
    const lane = {
      key,
      ownerId,
      arguments: given,
      clients: new Set<Client>(),
      gone: new Set<string>(),
      isServing: false,
      readingMs: 0,
    };
    this.#lanes.set(key, lane);
    return lane;
  }

  /** Adds a client to its lane and its key. */
  add(client: Client): void {
    client.lane.clients.add(client);
    const ofKey = this.#keys.get(client.keyId) ?? new Set();
    this.#keys.set(client.keyId, ofKey.add(client));
  }

  /** @returns false for one that has left before */
  remove(client: Client): boolean {
    const { lane } = client;
    if (!lane.clients.delete(client)) return false;
    if (lane.clients.size === 0) this.#lanes.delete(lane.key);
    const ofKey = this.#keys.get(client.keyId);
    ofKey?.delete(client);
    if (ofKey?.size === 0) this.#keys.delete(client.keyId);
    return true;
  }

  /** Returns clients of some of the keys, each key in its turn. */
  next(): Client[] {
    const turn = [...this.#keys].slice(0, KEYS_OF_TICK);
    for (const [keyId, clients] of turn) {
      this.#keys.delete(keyId);
      this.#keys.set(keyId, clients);
    }
    return turn.flatMap(([, ofKey]) => [...ofKey]);
  }
}
