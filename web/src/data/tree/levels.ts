import { signal } from '@preact/signals';
import { FIRST_LEVEL } from '../requests/begun.ts';
import { type LiveNode, onNodes } from '../streams/live.ts';
import { type Child, listChildren } from './children.ts';
import { ROOT } from './tree-root.ts';

export { ROOT } from './tree-root.ts';

/** These children of one node were read so far. */
export type Level = {
  readonly children: readonly Child[];
  /** More are there: the place where they go on. */
  readonly next?: string | undefined;
  readonly isLoading: boolean;
  readonly error?: unknown;
};

const PAGE = FIRST_LEVEL.limit;
/** One request may ask for this many at most. */
const MOST_AT_ONCE = 1_000;

/** These levels are open, by parent. The tree never reads another one. */
export const levels = signal<ReadonlyMap<string, Level>>(new Map());

const put = (parentId: string, level: Level | undefined): void => {
  const all = new Map(levels.peek());
  if (level === undefined) all.delete(parentId);
  else all.set(parentId, level);
  levels.value = all;
};

const query = (parentId: string, limit: number, after?: string) => ({
  ...(parentId !== ROOT && { parentId }),
  limit,
  ...(after !== undefined && { after }),
});

/** Reads the first page of a level, unless it is there. */
export async function openLevel(parentId: string): Promise<void> {
  const known = levels.peek().get(parentId);
  if (known !== undefined && known.error === undefined) return;
  put(parentId, { children: [], isLoading: true });
  await fill(parentId, () => listChildren(query(parentId, PAGE)), []);
}

/** Reads the next page of a level. */
export async function readOn(parentId: string): Promise<void> {
  const known = levels.peek().get(parentId);
  if (known?.next === undefined || known.isLoading) return;
  put(parentId, { ...known, isLoading: true });
  await fill(parentId, () => listChildren(query(parentId, PAGE, known.next)), known.children);
}

/** Reads a level again, as far as it was read: something in it has changed. */
export async function rereadLevel(parentId: string): Promise<void> {
  const known = levels.peek().get(parentId);
  if (known === undefined) return;
  await fill(parentId, async () => {
    const wanted = Math.max(known.children.length, PAGE);
    const children: Child[] = [];
    let next: string | null | undefined;
    do {
      const page = await listChildren(query(parentId, Math.min(wanted, MOST_AT_ONCE), next ?? undefined));
      children.push(...page.nodes);
      next = page.next;
    } while (next && children.length < wanted);
    return { nodes: children, next: next ?? null };
  }, []);
}

export const closeLevel = (parentId: string): void => {
  if (parentId !== ROOT) put(parentId, undefined);
};

type Page = Awaited<ReturnType<typeof listChildren>>;

async function fill(parentId: string, ask: () => Promise<Page>, before: readonly Child[]): Promise<void> {
  try {
    const { nodes, next } = await ask();
    if (!levels.peek().has(parentId)) return;
    put(parentId, { children: [...before, ...nodes], next: next ?? undefined, isLoading: false });
  } catch (error) {
    const known = levels.peek().get(parentId);
    if (known !== undefined) put(parentId, { ...known, isLoading: false, error });
  }
}

/** Levels in which something has changed, read again together a moment later. */
const stale = new Set<string>();
const AFTER_NEWS_MS = 400;

function readSoon(parentId: string): void {
  if (!levels.peek().has(parentId)) return;
  if (stale.size === 0)
    setTimeout(() => {
      const all = [...stale];
      stale.clear();
      for (const parentId of all) void rereadLevel(parentId);
    }, AFTER_NEWS_MS);
  stale.add(parentId);
}

/** Keeps open levels as the stream reports them. */
export function followLevels(): void {
  onNodes((news) => {
    if (news.kind === 'reset') for (const parentId of levels.peek().keys()) readSoon(parentId);
    else if (news.kind === 'removed') removed(news.id);
    else changed(news.node);
  });
}

function removed(id: string): void {
  for (const [parentId, level] of levels.peek()) {
    if (!level.children.some(({ _id }) => _id === id)) continue;
    put(parentId, { ...level, children: level.children.filter(({ _id }) => _id !== id) });
    countAgain(parentId);
  }
  closeLevel(id);
}

/** The node above has another number of children: its own level knows. */
function countAgain(id: string): void {
  for (const [parentId, { children }] of levels.peek()) if (children.some(({ _id }) => _id === id)) readSoon(parentId);
}

function changed(node: LiveNode): void {
  const parentId = node.parentId ?? ROOT;
  for (const [where, level] of levels.peek()) {
    const known = level.children.find(({ _id }) => _id === node._id);
    if (known === undefined) continue;
    if (where !== parentId) {
      put(where, { ...level, children: level.children.filter(({ _id }) => _id !== node._id) });
      countAgain(where);
      readSoon(parentId);
    } else if (known.name !== node.name || known.revision !== node.revision) readSoon(where);
    return;
  }
  const isNew = isJustMade(node);
  const level = levels.peek().get(parentId);
  // A level has many nodes that nobody knows here beyond the part that was read.
  if (level !== undefined && (isNew || level.next === undefined)) readSoon(parentId);
  if (isNew && parentId !== ROOT) countAgain(parentId);
}

const JUST_MS = 120_000;
const made = new Set<string>();
const MOST_MADE = 5_000;

/** Returns whether a node was made a moment ago, true once: a stream sends each value of each node. */
function isJustMade({ _id, createdTime }: LiveNode): boolean {
  if (typeof createdTime !== 'string' || Date.now() - Date.parse(createdTime) > JUST_MS || made.has(_id)) return false;
  if (made.size > MOST_MADE) made.clear();
  made.add(_id);
  return true;
}
