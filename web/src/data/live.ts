import type { Event } from '@catchment/client';
import { client } from './client.ts';
import { followForever } from './follow-forever.ts';
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

/** A page that is kept from its streams shows what is there all the same. */
const BEGINS_WITHIN_MS = 1_000;
let begun: Promise<unknown> = Promise.resolve();

/** Resolves once the streams have begun: what is read from then on misses no change. Streams that do not begin are not waited for long. */
export const streamsBegun = (): Promise<unknown> => begun;

/** Streams for as long as the page is there. What may have been missed is told as a reset. */
export function followAll(): void {
  const nodes = Promise.withResolvers<void>();
  const events = Promise.withResolvers<void>();
  const late = new Promise((resolve) => setTimeout(resolve, BEGINS_WITHIN_MS));
  begun = Promise.race([Promise.all([nodes.promise, events.promise]), late]);
  const isOver = () => lostAccount.peek() !== 'none';
  const onLost = () => tell(nodeListeners, { kind: 'reset' });
  void followForever({
    ...{ isOver, onLost, onBegin: nodes.resolve },
    follow: async (following) => {
      for await (const { kind, node } of client.nodes.follow({ attr: LIVE_ATTRIBUTES, ...following })) {
        if (kind === 'node') tell(nodeListeners, { kind, node: node as LiveNode });
        else if (kind === 'removed') tell(nodeListeners, { kind, id: (node as LiveNode)._id });
        else if (kind === 'reset') {
          void checkAccessNow();
          tell(nodeListeners, { kind });
        }
      }
    },
  });
  void followForever({
    ...{ isOver, onLost, onBegin: events.resolve },
    follow: async (following) => {
      for await (const { event } of client.events.follow(following)) tell(eventListeners, event);
    },
  });
}
