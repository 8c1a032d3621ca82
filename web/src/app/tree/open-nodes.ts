import { signal } from '@preact/signals';
import { client } from '../../data/requests/client.ts';
import { start } from '../../data/session/session.ts';
import { closeLevel, levels, openLevel, ROOT, readOn } from '../../data/tree/levels.ts';

const KEY = () => `tree of ${start().account.id}`;
const MOST = 200;

/** The children of these nodes are shown, as this tab had them when it was loaded again. */
export const openNodes = signal<ReadonlySet<string>>(new Set());

export function restoreOpenNodes(): void {
  try {
    openNodes.value = new Set(JSON.parse(sessionStorage.getItem(KEY()) ?? '[]'));
  } catch {
    // The tree begins closed where there is no storage.
  }
  void openLevel(ROOT);
  for (const id of openNodes.value) void openLevel(id);
}

const keep = (next: ReadonlySet<string>): void => {
  openNodes.value = next;
  try {
    sessionStorage.setItem(KEY(), JSON.stringify([...next].slice(-MOST)));
  } catch {
    // It lasts as long as the page.
  }
};

export function openNode(id: string): void {
  keep(new Set([...openNodes.value, id]));
  void openLevel(id);
}

export function closeNode(id: string): void {
  keep(new Set([...openNodes.value].filter((node) => node !== id)));
  // A closed level is not kept current; it is read anew when it is opened.
  closeLevel(id);
}

/** Levels that are read on until a node is found in them. */
const MOST_PAGES = 10;
const MOST_DEPTH = 32;

/** Opens what a node lies in, so that it can be seen. */
export async function reveal(id: string): Promise<void> {
  const above: string[] = [];
  let at = id;
  for (let depth = 0; depth < MOST_DEPTH; depth += 1) {
    const { parentId } = (await client.nodes.get(at, { attr: 'parentId' })) as { parentId?: string };
    if (parentId === undefined) break;
    above.unshift(parentId);
    at = parentId;
  }
  await openLevel(ROOT);
  for (const [i, parentId] of above.entries()) {
    openNode(parentId);
    await openLevel(parentId);
    const child = above[i + 1] ?? id;
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const level = levels.peek().get(parentId);
      if (level?.next === undefined || level.children.some(({ _id }) => _id === child)) break;
      await readOn(parentId);
    }
  }
}
