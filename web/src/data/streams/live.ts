import type { Event } from '@catchment/client';
import { CONSOLE_ATTRIBUTES } from '@catchment/dashboard-view';
import { client } from '../requests/client.ts';
import { checkAccessNow, lostAccount, start } from '../session/session.ts';
import { followForever } from './follow-forever.ts';

/** The stream brings what changed last of a node. */
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
  /** The node is deleted, or not to be seen any more. */
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

const notify = <T>(listeners: ReadonlySet<(news: T) => void>, news: T): void => {
  for (const listener of listeners) {
    try {
      listener(news);
    } catch (error) {
      // A page that fails must not keep the others from their news.
      reportError(error);
    }
  }
};

/** Streams for as long as the page is there, from where its account was when the page was made. News that may have been missed are announced as a reset. */
export function followAll(): void {
  const isOver = () => lostAccount.peek() !== 'none';
  const onLost = () => notify(nodeListeners, { kind: 'reset' });
  void followForever({
    isOver,
    onLost,
    from: start().streams.nodes,
    follow: async (following) => {
      for await (const { kind, node } of client.nodes.follow({ attr: CONSOLE_ATTRIBUTES, ...following })) {
        if (kind === 'node') notify(nodeListeners, { kind, node: node as LiveNode });
        else if (kind === 'removed') notify(nodeListeners, { kind, id: (node as LiveNode)._id });
        else if (kind === 'reset') {
          void checkAccessNow();
          notify(nodeListeners, { kind });
        }
      }
    },
  });
  void followForever({
    isOver,
    onLost,
    from: start().streams.events,
    follow: async (following) => {
      for await (const { event } of client.events.follow(following)) notify(eventListeners, event);
    },
  });
}
