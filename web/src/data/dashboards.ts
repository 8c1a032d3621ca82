import { computed, signal } from '@preact/signals';
import { client } from './client.ts';
import { onNodes } from './live.ts';
import type { Node } from './nodes.ts';
import { preference, setPreference } from './preferences.ts';

export type Board = {
  readonly _id: string;
  readonly name: string;
  readonly description?: string;
  readonly workspaceId?: string;
};
export type Boards =
  | { readonly kind: 'loading' }
  | { readonly kind: 'ready'; readonly boards: readonly Board[] }
  | { readonly kind: 'failed'; readonly error: unknown };

/** All dashboards that the person may see, by name. */
export const boards = signal<Boards>({ kind: 'loading' });
const CLASS = 'models.node.Dashboard';
const PINNED = 'dashboards.pinned';

export async function readBoards(): Promise<void> {
  try {
    const all: Board[] = [];
    const query = { filter: `_class($match:${CLASS})`, attr: '_id,name,description,workspaceId' };
    for await (const one of client.nodes.list(query)) all.push(one as unknown as Board);
    all.sort((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }));
    boards.value = { kind: 'ready', boards: all };
  } catch (error) {
    if (boards.peek().kind !== 'ready') boards.value = { kind: 'failed', error };
  }
}

let isFollowed = false;
let timer: ReturnType<typeof setTimeout> | undefined;
const AFTER_NEWS_MS = 1_000;

export function followBoards(): void {
  if (isFollowed) return;
  isFollowed = true;
  void readBoards();
  onNodes((news) => {
    const { value } = boards;
    const isOurs =
      news.kind === 'reset' ||
      (news.kind === 'node' && news.node._class?.endsWith(CLASS)) ||
      (news.kind === 'removed' && value.kind === 'ready' && value.boards.some(({ _id }) => _id === news.id));
    if (!isOurs) return;
    clearTimeout(timer);
    timer = setTimeout(() => void readBoards(), AFTER_NEWS_MS);
  });
}

/** The dashboards that the person keeps on the overview. */
export const pinned = computed<readonly string[]>(() => {
  const { value } = preference<unknown>(PINNED);
  return Array.isArray(value) ? value.filter((id) => typeof id === 'string') : [];
});

/** As many as a preference holds. */
const MOST_PINNED = 24;

export const pin = (id: string, isOn: boolean): Promise<void> => {
  const others = pinned.peek().filter((one) => one !== id);
  return setPreference(PINNED, isOn ? [...others, id].slice(-MOST_PINNED) : others);
};

export type Tile = {
  readonly type: string;
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
  readonly label?: string;
  readonly style?: string;
  readonly links?: readonly { readonly nodeId?: string }[];
};
export type BoardPicture = { readonly tiles: readonly Tile[]; readonly values: ReadonlyMap<string, Node> };

/** Tiles of a small picture whose values are read. */
const MOST_VALUES = 12;
const VALUE_ATTRIBUTES = '_id,name,currentValue,currentStateId,states,units,format,displayType';

/** What a small picture shows of a dashboard: its tiles, and the values of those that are one value. */
export async function boardPicture(id: string): Promise<BoardPicture> {
  const { tiles = [] } = (await client.nodes.get(id, { attr: 'tiles' })) as { tiles?: readonly Tile[] };
  const ids = valueIds(tiles);
  const values = new Map<string, Node>();
  if (ids.length > 0) {
    const filter = ids.map((one) => `_id($eq:${one})`).join('|');
    for await (const one of client.nodes.list({ filter, attr: VALUE_ATTRIBUTES }))
      values.set(one._id as string, one as unknown as Node);
  }
  return { tiles, values };
}

export const isValueTile = ({ type }: Tile): boolean => type === 'VALUE' || type === 'SOLID_GAUGE';

const valueIds = (tiles: readonly Tile[]): readonly string[] =>
  [...new Set(tiles.filter(isValueTile).flatMap(({ links }) => links?.[0]?.nodeId ?? []))].slice(0, MOST_VALUES);
