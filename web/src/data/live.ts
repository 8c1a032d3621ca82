import type { Event } from '@catchment/client';
import { client } from './client.ts';
import { onWake } from './connection.ts';
import { checkAccessNow, lostAccount } from './session.ts';

/** The attributes of nodes that the stream brings. */
export const LIVE_ATTRIBUTES =
  '_id,_class,name,parentId,workspaceId,createdTime,revision,currentValue,currentTime,currentStateId,currentStatus,alarms';

/** A node as the stream brings it: what changed last of it. */
export type LiveNode = {
  readonly _id: string;
  readonly _class?: string;
  readonly name?: string;
  readonly parentId?: string;
  readonly revision?: number;
  readonly [attribute: string]: unknown;
};
export type NodeNews =
  | { readonly kind: 'node'; readonly node: LiveNode }
  /** Deleted, or not to be seen any more. */
  | { readonly kind: 'removed'; readonly id: string }
  /** Rights have changed or much was missed: what is held must be read anew. */
  | { readonly kind: 'reset' };

const nodeListeners = new Set<(news: NodeNews) => void>();
const eventListeners = new Set<(event: Event) => void>();

/** All open pages share one stream of nodes. @returns what ends it */
export function onNodes(listener: (news: NodeNews) => void): () => void {
  nodeListeners.add(listener);
  return () => nodeListeners.delete(listener);
}

/** All open pages share one stream of events. @returns what ends it */
export function onEvents(listener: (event: Event) => void): () => void {
  eventListeners.add(listener);
  return () => eventListeners.delete(listener);
}

const tell = <T>(listeners: ReadonlySet<(news: T) => void>, news: T): void => {
  for (const listener of listeners) {
    try {
      listener(news);
    } catch (error) {
      // A page that fails must not keep the others from their news.
      reportError(error);
    }
  }
};

/** Streams for as long as the page is there. A message that may have been missed is told as a reset. */
export function followAll(): void {
  void forever(async (after, signal) => {
    for await (const { kind, node, id } of client.nodes.follow({ attr: LIVE_ATTRIBUTES, ...after, signal })) {
      after.after = id;
      if (kind === 'node') tell(nodeListeners, { kind, node: node as LiveNode });
      else if (kind === 'removed') tell(nodeListeners, { kind, id: (node as LiveNode)._id });
      else if (kind === 'reset') {
        void checkAccessNow();
        tell(nodeListeners, { kind });
      }
    }
  });
  void forever(async (after, signal) => {
    for await (const { event, id } of client.events.follow({ ...after, signal })) {
      after.after = id;
      tell(eventListeners, event);
    }
  });
}

const AGAIN_MS = 5_000;

/** The client gives up after some tries; a page that stays open does not. */
async function forever(follow: (place: { after?: string | undefined }, signal: AbortSignal) => Promise<void>) {
  const place: { after?: string | undefined } = {};
  let stop = new AbortController();
  let goOn = () => {};
  onWake(() => {
    stop.abort();
    goOn();
  });
  for (;;) {
    stop = new AbortController();
    await follow(place, stop.signal).catch(() => undefined);
    // Who has no access any more would only be refused again.
    if (lostAccount.peek() !== 'none') return;
    if (stop.signal.aborted) continue;
    await new Promise<void>((resolve) => {
      goOn = resolve;
      setTimeout(resolve, AGAIN_MS);
    });
  }
}
