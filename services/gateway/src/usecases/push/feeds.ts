import { setTimeout as delay } from 'node:timers/promises';
import type { CallerSigner } from '@catchment/grpc';
import type { Peers } from '../ports.ts';
import type { Feed } from './feed.ts';

/** A watch ends by itself before. */
const WATCH_MS = 10 * 60_000;
const RETRY_MS = 500;
const EVENTS_PAUSE_MS = 100;
/** Nodes are looked at this often while somebody follows them. */
const NODES_PAUSE_MS = 500;

/** GET /events/stream: the events service reports which accounts have new events. */
export function eventFeed({ eventFeed }: Pick<Peers, 'eventFeed'>, signer: CallerSigner): Feed {
  return {
    read: eventFeed.readFeed,
    pauseMs: EVENTS_PAUSE_MS,
    async *watch(_accounts, signal) {
      while (!signal.aborted) {
        try {
          const options = { token: await ownToken(signer), timeoutMs: WATCH_MS, signal };
          // The first message says that the watch has begun: what came before it is not reported.
          for await (const { ownerIds } of eventFeed.watchAccounts({}, options))
            yield ownerIds.length === 0 ? 'all' : ownerIds;
        } catch {
          // The service is away: streams go on when it is back, and their clients see heartbeats meanwhile.
        }
        await pause(RETRY_MS, signal);
      }
    },
  };
}

/** GET /nodes/stream: the revisions of the accounts' nodes are compared. */
export function nodeFeed({ nodeFeed }: Pick<Peers, 'nodeFeed'>, signer: CallerSigner): Feed {
  return {
    read: nodeFeed.readFeed,
    pauseMs: NODES_PAUSE_MS,
    async *watch(accounts, signal) {
      let known: Readonly<Record<string, string>> = {};
      for (; !signal.aborted; await pause(NODES_PAUSE_MS, signal)) {
        const ownerIds = [...accounts()];
        const before = known;
        try {
          const options = { token: await ownToken(signer), signal };
          known = (await nodeFeed.getRevisions({ ownerIds }, options)).revisions;
        } catch {
          continue;
        }
        // Changes of an account that was not asked about before may have been missed, so it counts as changed.
        yield ownerIds.filter((ownerId) => known[ownerId] !== before[ownerId]);
      }
    },
  };
}

const ownToken = (signer: CallerSigner): Promise<string> => signer.sign({ kind: 'service', service: 'gateway' });
const pause = (ms: number, signal: AbortSignal): Promise<void> => delay(ms, undefined, { signal }).catch(() => {});
