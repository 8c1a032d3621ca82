import { setTimeout as delay } from 'node:timers/promises';
import type { ApiCaller } from '@catchment/access';
import type { FeedPart } from '@catchment/contracts/feed';
import { type ErrorKind, toDomainError } from '@catchment/errors';
import type { CallerSigner } from '@catchment/grpc';
import type { Logger } from '@catchment/telemetry';
import { callerView } from '../../domain/caller-view.ts';
import { type EndReason, heartbeatText, openingText, RESTARTING, TOO_SLOW } from '../../domain/server-sent-events.ts';
import { AccountWatch } from './account-watch.ts';
import type { Feed } from './feed.ts';
import { type Client, type Follower, Followers, type Lane } from './followers.ts';
import { bytesOf } from './part-bytes.ts';
import { StreamClient } from './stream-client.ts';
import { withoutRepeated } from './without-repeated.ts';

/** Rights that are older than this allow no read and no message: what a caller may no longer see ends within a second. */
const READ_RIGHTS_MS = 500;
const SENT_RIGHTS_MS = 900;
const READ_MS = 30_000;
const RETRY_MS = 1_000;
/** Reads of the same take at most this share of the time. */
const READING_SHARE = 0.1;
/** Lookups of keys at once. */
const LOOKUPS = 32;
/** Failures of a read that another try does not mend. */
const LASTING: readonly ErrorKind[] = ['invalid_argument', 'not_found', 'permission_denied', 'failed_precondition'];

/**
 * Sends the streams of one kind. Clients that may see the same, ask for the same and are at the same place share one read, which is made
 * when their account has something new. A client is given the next part when it has taken the one before: no more waits for it.
 */
export class PushHub {
  readonly #feed: Feed;
  readonly #signer: CallerSigner;
  readonly #log: Pick<Logger, 'error'>;
  readonly #now: () => number;
  readonly #followers = new Followers();
  readonly #closing = new AbortController();
  readonly #watch: AccountWatch;

  /** @param deps.now ms of a clock that is never set back */
  constructor(deps: { feed: Feed; signer: CallerSigner; log: Pick<Logger, 'error'>; now?: () => number }) {
    this.#feed = deps.feed;
    this.#log = deps.log;
    this.#signer = deps.signer;
    this.#now = deps.now ?? (() => performance.now());
    this.#watch = new AccountWatch({
      feed: deps.feed,
      log: deps.log,
      accounts: () => this.#followers.accounts(),
      changed: (isChanged) => {
        for (const lane of this.#followers.lanes()) if (isChanged(lane.ownerId)) this.#wake(lane);
      },
    });
  }

  get isClosed(): boolean {
    return this.#closing.signal.aborted;
  }

  /** Returns the first part of a stream: it says whether arguments and cursor are right. @throws DomainError */
  async open(caller: ApiCaller, given: Readonly<Record<string, string>>, cursor: string): Promise<FeedPart> {
    const options = { token: await this.#signer.sign(caller), timeoutMs: READ_MS };
    return this.#feed.read({ arguments: given, cursor }, options);
  }

  /** Sends to a client from now on, beginning with its first part. */
  join(follower: Follower, caller: ApiCaller, first: FeedPart): { drained(): void; leave(): void } {
    const lane = this.#followers.laneOf(follower);
    // This client may hold subjects that were reported to others as gone.
    lane.gone.clear();
    const client: Client = {
      ...follower,
      lane,
      connection: new StreamClient(follower.sink, this.#now),
      view: callerView(caller),
      cursor: '',
      sentCursor: '',
      isDue: true,
    };
    this.#followers.add(client);
    this.#send(client, openingText(first.messages.length === 0 ? first.cursor : ''), first);
    if (this.isClosed) this.#end(client, RESTARTING);
    else {
      this.#watch.begin();
      this.#serve(lane);
    }
    const drained = () => {
      client.connection.drained();
      this.#serve(lane);
    };
    return { drained, leave: () => this.#leave(client) };
  }

  /** Sends heartbeats, disconnects slow clients, and ends the streams of keys that are no longer good. It runs every second. */
  async tick(): Promise<void> {
    for (const client of this.#followers.all()) {
      const found = client.connection.look();
      if (found === 'slow') this.#end(client, TOO_SLOW);
      if (found !== 'silent') continue;
      const isNew = client.sentCursor !== client.cursor;
      this.#write(client, Buffer.from(heartbeatText(isNew ? client.cursor : undefined)));
      client.sentCursor = client.cursor;
    }
    await this.#checkKeys();
  }

  /** Ends all streams; their clients find another process, or this one when it is back. */
  close(): void {
    this.#closing.abort();
    this.#watch.end();
    for (const client of this.#followers.all()) this.#end(client, RESTARTING);
  }

  #leave(client: Client): void {
    if (this.#followers.remove(client) && this.#followers.isEmpty) this.#watch.end();
  }

  #end(client: Client, why: EndReason): void {
    if (!client.lane.clients.has(client)) return;
    this.#leave(client);
    client.connection.end(why);
  }

  #wake(lane: Lane): void {
    for (const client of lane.clients) client.isDue = true;
    this.#serve(lane);
  }

  #serve(lane: Lane): void {
    if (lane.isServing) return;
    lane.isServing = true;
    this.#readAndSend(lane).catch((err: unknown) => this.#log.error({ err }, 'a stream could not be sent'));
  }

  /** Reads and sends until there is nothing more for clients that can take it. */
  async #readAndSend(lane: Lane): Promise<void> {
    try {
      for (;;) {
        const due = [...lane.clients].filter((client) => client.isDue && !client.connection.isBusy);
        if (due.length === 0 || this.isClosed) return;
        for (const client of due) client.isDue = false;
        lane.readingMs = 0;
        const outcomes = await this.#sendTo(lane, due);
        if (outcomes.includes('failed')) await this.#pause(RETRY_MS);
        else if (!outcomes.includes('more'))
          await this.#pause(Math.max(this.#feed.pauseMs, lane.readingMs / READING_SHARE));
      }
    } finally {
      // This happens in the same turn in which nothing was found to be due: later news begin anew.
      lane.isServing = false;
    }
  }

  async #sendTo(lane: Lane, due: readonly Client[]): Promise<Outcome[]> {
    const callers = await this.#callersOf(due, READ_RIGHTS_MS);
    const groups = Map.groupBy(callers, ([client, caller]) => JSON.stringify([client.cursor, callerView(caller)]));
    const outcomes = [...groups.values()].map((group) => this.#sendPart(lane, group));
    if (callers.length < due.filter((client) => lane.clients.has(client)).length)
      outcomes.push(Promise.resolve('failed'));
    return Promise.all(outcomes);
  }

  /** Reads once for all clients that may see the same and are at the same place. */
  async #sendPart(lane: Lane, group: readonly (readonly [Client, ApiCaller])[]): Promise<Outcome> {
    const [[first, caller]] = group as readonly [readonly [Client, ApiCaller]];
    const clients = group.map(([client]) => client);
    const beganMs = this.#now();
    const part = await this.open(caller, lane.arguments, first.cursor).catch((error: unknown) => {
      const { kind, reason, message } = toDomainError(error);
      for (const client of clients) {
        if (LASTING.includes(kind)) this.#end(client, { reason, message });
        else client.isDue = true;
      }
    });
    if (!part) return 'failed';
    lane.readingMs += this.#now() - beganMs;
    const news = withoutRepeated(part, lane, clients.length === lane.clients.size);
    const view = callerView(caller);
    // The read may have taken long.
    for (const [client, now] of await this.#callersOf(clients, SENT_RIGHTS_MS)) {
      if (callerView(now) !== view) client.isDue = true;
      else this.#send(client, '', news);
    }
    return part.hasMore ? 'more' : 'read';
  }

  #send(client: Client, opening: string, part: FeedPart): void {
    const last = part.messages.at(-1);
    if (opening !== '' || last) this.#write(client, bytesOf(part, opening));
    client.cursor = part.cursor;
    if (last) client.sentCursor = last.cursor || part.cursor;
    else if (opening !== '') client.sentCursor = part.cursor;
    if (part.hasMore) client.isDue = true;
  }

  #write(client: Client, bytes: Buffer): void {
    if (!client.lane.clients.has(client)) return;
    client.connection.write(bytes);
  }

  /** Returns clients with what they may do; ends those that may do nothing any more, and sets those due again of whom nobody knows. */
  async #callersOf(clients: readonly Client[], maxAgeMs: number): Promise<(readonly [Client, ApiCaller])[]> {
    const found: (readonly [Client, ApiCaller])[] = [];
    const keys = [...Map.groupBy(clients, ({ keyId }) => keyId).values()];
    const look = async (ofKey: readonly Client[]) => {
      const rights = await ofKey[0]?.rights(maxAgeMs).catch(() => undefined);
      for (const client of ofKey) {
        if (!rights) client.isDue = true;
        else if ('end' in rights) this.#end(client, rights.end);
        else found.push([client, rights.caller]);
      }
    };
    for (let n = 0; n < keys.length; n += LOOKUPS) await Promise.all(keys.slice(n, n + LOOKUPS).map(look));
    return found;
  }

  /** Looks at some of the keys, each in its turn. */
  async #checkKeys(): Promise<void> {
    const clients = this.#followers.next();
    for (const [client, caller] of await this.#callersOf(clients, READ_RIGHTS_MS)) {
      const view = callerView(caller);
      if (client.view === view) continue;
      client.view = view;
      client.isDue = true;
      this.#serve(client.lane);
    }
  }

  #pause(ms: number): Promise<void> {
    return delay(ms, undefined, { signal: this.#closing.signal, ref: false }).catch(() => {});
  }
}

type Outcome = 'read' | 'more' | 'failed';
