import { hash } from 'node:crypto';
import { type ApiCaller, scopeOf } from '@catchment/access';
import { invalid } from '@catchment/errors';
import { parseAttr } from '@catchment/query';
import { closingsOf } from '../../rights/index.ts';
import { documentsOf, fileUrlFor, type ListDeps } from '../../views/index.ts';
import {
  cursorText,
  type FeedCursor,
  KEPT_DAYS,
  type NodePlace,
  nextOf,
  oldestOf,
  parseCursor,
} from '../domain/feed-cursor.ts';
import { type Change, changesSince, type FeedHead, feedHead, ownerRevisions } from '../store/feed-query.ts';

/** Nodes of one part. */
const PART_NODES = 100;
const DAY_SECONDS = 86_400;
/** Ages of transactions can be compared up to 2^31. */
const DISTANCE_MAX = 2n ** 31n - 2n ** 24n;
const HEADS = 10_000;
const HEAD_SECONDS = 3_600;
const START: NodePlace = { createdMs: Number.MIN_SAFE_INTEGER, nodeId: '0'.repeat(24) };

type FeedDeps = ListDeps & { readonly heads: FeedHeads };

/** The stream sends `node` with a document, `removed`, or `reset`. */
type NodeMessage = {
  readonly event: 'node' | 'removed' | 'reset';
  readonly nodeId: string;
  readonly json: string;
};
type NodeFeedPart = {
  readonly messages: readonly NodeMessage[];
  readonly cursor: string;
  readonly hasMore: boolean;
};

type Head = FeedHead & { readonly atSeconds: number };

/**
 * Snapshots of accounts that all readers name the same place by: as long as the account's revision is the same, nothing of it has changed
 * since the first of them was taken.
 */
export class FeedHeads {
  /** The accounts that were new last come last. */
  readonly #heads = new Map<string, Head>();

  async of({ database, now }: Pick<ListDeps, 'database' | 'now'>, ownerId: string): Promise<Head> {
    const head = { ...(await feedHead(database, ownerId)), atSeconds: Math.floor(now() / 1_000) };
    const known = this.#heads.get(ownerId);
    const isSame = known?.revision === head.revision && known.history === head.history;
    if (isSame && head.atSeconds - known.atSeconds < HEAD_SECONDS)
      return { ...head, ...known, settings: head.settings };
    this.#heads.delete(ownerId);
    this.#heads.set(ownerId, head);
    const [oldest] = this.#heads.keys();
    if (this.#heads.size > HEADS && oldest !== undefined) this.#heads.delete(oldest);
    return head;
  }
}

/**
 * Reads the next nodes of a stream of changes, as the caller may see them at this moment (docs/reference/events.md#streams).
 * @param given.cursor empty = what changes from now on
 * @throws DomainError invalid_argument for a wrong filter and for a cursor that no stream has given
 */
export async function readFeed(
  deps: FeedDeps,
  caller: ApiCaller,
  given: { readonly arguments: Readonly<Record<string, string>>; readonly cursor: string },
): Promise<NodeFeedPart> {
  const { attr = '', filter = '' } = given.arguments;
  const scope = scopeOf(caller);
  const urlOf = fileUrlFor(deps.files, caller, 0, deps.now());
  const selector = attr === '' ? undefined : parseAttr(attr);
  const documents = documentsOf(deps, scope, { filter, selector, urlOf, caller });
  const cursor = given.cursor === '' ? undefined : parseCursor(given.cursor);
  if (given.cursor !== '' && !cursor)
    throw invalid('INVALID_CURSOR', 'Last-Event-ID: must be the id of a message of this stream');
  const head = await deps.heads.of(deps, scope.ownerId);
  const view = viewOf(head, caller, await closingsOf(deps.database, scope), [attr, filter]);
  const end = { view, atSeconds: head.atSeconds, from: head.snapshot };
  if (!cursor) return { messages: [], cursor: cursorText(end), hasMore: false };
  const goesOn = cursor.view === view && isKnown(cursor, head, deps.now());
  if (goesOn && cursor.from === head.snapshot && !cursor.rest)
    return { messages: [], cursor: given.cursor, hasMore: false };
  const from = goesOn ? cursor.from : undefined;
  const { to, after } = (goesOn ? cursor.rest : undefined) ?? { to: head.snapshot, after: START };
  const changes = await changesSince(deps.database, scope, { from, after, limit: PART_NODES });
  const messages = messagesOf(changes, await documents(idsOf(changes)), { withRemoved: from !== undefined });
  const last = changes.at(-1);
  const hasMore = changes.length === PART_NODES && last !== undefined;
  return {
    messages: goesOn ? messages : [RESET, ...messages],
    cursor: hasMore
      ? cursorText({ view, atSeconds: goesOn ? cursor.atSeconds : head.atSeconds, from, rest: { to, after: last } })
      : cursorText({ ...end, from: to }),
    hasMore,
  };
}

const RESET: NodeMessage = {
  event: 'reset',
  nodeId: '',
  json: JSON.stringify({ message: 'All nodes follow: those of before are not known to be right any more' }),
};

/** Returns a text for each account that changes whenever its nodes may have changed; accounts without nodes are left out. */
export const revisionsOf = async (
  { database }: Pick<ListDeps, 'database'>,
  ownerIds: readonly string[],
): Promise<Record<string, string>> => Object.fromEntries(await ownerRevisions(database, ownerIds));

/** True while all that has happened since a cursor can still be sent. */
function isKnown({ from, rest, atSeconds }: FeedCursor, head: Head, nowMs: number): boolean {
  if (nowMs / 1_000 - atSeconds > KEPT_DAYS * DAY_SECONDS) return false;
  const next = nextOf(head.snapshot);
  return (
    [from, rest?.to].every((snapshot) => snapshot === undefined || nextOf(snapshot) <= next) &&
    next - oldestOf(from ?? head.snapshot) < DISTANCE_MAX
  );
}

/** Returns everything but the nodes that decides what a stream shows. */
function viewOf(
  head: FeedHead,
  { rights, ...caller }: ApiCaller,
  closings: readonly string[],
  given: readonly string[],
) {
  const { ownerId, workspaceIds } = caller;
  const parts = [head.history, head.settings, ownerId, workspaceIds ?? null, rights?.grants ?? null, closings, given];
  return hash('sha256', JSON.stringify(parts), 'base64url').slice(0, 16);
}

const idsOf = (changes: readonly Change[]): string[] => [
  ...new Set(
    changes.flatMap(({ nodeId, isGone, sourceId }) => (isGone ? [] : [nodeId, ...(sourceId ? [sourceId] : [])])),
  ),
];

/** @param withRemoved the client may hold nodes that the filter does not take any more */
function messagesOf(
  changes: readonly Change[],
  documents: ReadonlyMap<string, string>,
  { withRemoved }: { readonly withRemoved: boolean },
): NodeMessage[] {
  const messages = new Map<string, NodeMessage>();
  for (const { nodeId, isGone, sourceId } of changes) {
    const json = isGone ? undefined : documents.get(nodeId);
    if (json !== undefined) messages.set(nodeId, { event: 'node', nodeId, json });
    else if (withRemoved) messages.set(nodeId, { event: 'removed', nodeId, json: JSON.stringify({ _id: nodeId }) });
    const source = sourceId === null ? undefined : documents.get(sourceId);
    if (sourceId !== null && source !== undefined)
      messages.set(sourceId, { event: 'node', nodeId: sourceId, json: source });
  }
  return [...messages.values()];
}
