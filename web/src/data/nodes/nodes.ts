import { CatchmentError } from '@catchment/client';
import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { call, nodePath } from '../requests/call.ts';
import { client } from '../requests/client.ts';
import { type LiveNode, onNodes } from '../streams/live.ts';

/** A node of the API. */
export type Node = LiveNode & { readonly _class: string; readonly name: string };

export type Held =
  | { readonly kind: 'loading' }
  | { readonly kind: 'ready'; readonly node: Node }
  /** The node is deleted, or not to be seen; `last` is what was known of it. */
  | { readonly kind: 'gone'; readonly last?: Node }
  | { readonly kind: 'failed'; readonly error: unknown; readonly last?: Node };

/** This many nodes are held; those that nobody looks at go first. */
const MOST = 200;
const held = new Map<string, { readonly value: Signal<Held>; users: number }>();
let isFollowed = false;

/** A node, read once and then kept current by the stream. Release it when it is not shown any more. */
export function holdNode(id: string): { readonly value: ReadonlySignal<Held>; readonly release: () => void } {
  follow();
  let entry = held.get(id);
  if (entry === undefined) {
    entry = { value: signal<Held>({ kind: 'loading' }), users: 0 };
    held.set(id, entry);
    void read(id);
  }
  // Nodes that were used last stand last.
  held.delete(id);
  held.set(id, entry);
  entry.users += 1;
  const mine = entry;
  forgetSome();
  return {
    value: mine.value,
    release: () => {
      mine.users -= 1;
    },
  };
}

/** Reads a node anew, such as after a change of it. */
export const rereadNode = (id: string): Promise<void> => read(id);

/** Reads some attributes of a node, once. */
export const readNode = (id: string, attr: string): Promise<Node> =>
  client.nodes.get(id, { attr }) as unknown as Promise<Node>;

/** Changes attributes of a node. With a revision somebody else's change is not overwritten: 412. */
export const updateNode = (
  id: string,
  attributes: Readonly<Record<string, unknown>>,
  revision?: number,
): Promise<Node> =>
  call<Node>('PUT', nodePath(id), {
    body: attributes,
    ...(revision !== undefined && { ifMatch: revision }),
  });

async function read(id: string): Promise<void> {
  const entry = held.get(id);
  if (entry === undefined) return;
  const { value } = entry;
  try {
    value.value = { kind: 'ready', node: (await client.nodes.get(id)) as unknown as Node };
  } catch (error) {
    const last = lastOf(value.peek());
    const isGone = error instanceof CatchmentError && (error.kind === 'not_found' || error.kind === 'permission');
    value.value = isGone ? { kind: 'gone', ...last } : { kind: 'failed', error, ...last };
  }
}

const lastOf = (value: Held): { last?: Node } =>
  value.kind === 'ready' ? { last: value.node } : 'last' in value ? { last: value.last } : {};

function follow(): void {
  if (isFollowed) return;
  isFollowed = true;
  onNodes((news) => {
    if (news.kind === 'reset') {
      for (const [id, { users }] of held) {
        if (users > 0) void read(id);
        else held.delete(id);
      }
      return;
    }
    const id = news.kind === 'node' ? news.node._id : news.id;
    const entry = held.get(id);
    if (entry === undefined) return;
    const before = entry.value.peek();
    if (news.kind === 'removed') entry.value.value = { kind: 'gone', ...lastOf(before) };
    else if (before.kind !== 'ready' || before.node.revision !== news.node.revision) void read(id);
    else entry.value.value = { kind: 'ready', node: { ...before.node, ...news.node } as Node };
  });
}

function forgetSome(): void {
  for (const [id, { users }] of held) {
    if (held.size <= MOST) return;
    if (users === 0) held.delete(id);
  }
}
