import { computed, signal } from '@preact/signals';
import type { Node } from '../nodes/nodes.ts';
import { client } from '../requests/client.ts';
import { preference, setPreference } from '../session/preferences.ts';
import { onNodes } from '../streams/live.ts';

export type Board = {
  readonly _id: string;
  readonly name: string;
  readonly description?: string;
  readonly workspaceId?: string;
  readonly isPublic?: boolean;
  readonly permissions?: readonly string[];
};
export type Boards =
  | { readonly kind: 'loading' }
  | { readonly kind: 'ready'; readonly boards: readonly Board[] }
  | { readonly kind: 'failed'; readonly error: unknown };

/** The person may see all these dashboards, by name. */
export const boards = signal<Boards>({ kind: 'loading' });
const CLASS = 'models.node.Dashboard';
const PINNED = 'dashboards.pinned';

export async function readBoards(): Promise<void> {
  try {
    const all: Board[] = [];
    const query = { filter: `_class($match:${CLASS})`, attr: '_id,name,description,workspaceId,isPublic,permissions' };
    for await (const board of client.nodes.list(query)) all.push(board as unknown as Board);
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

/** The person keeps these dashboards on the overview. */
export const pinned = computed<readonly string[]>(() => {
  const { value } = preference<unknown>(PINNED);
  return Array.isArray(value) ? value.filter((id) => typeof id === 'string') : [];
});

/** A preference holds as many. */
const MOST_PINNED = 24;

export const pin = (id: string, isOn: boolean): Promise<void> => {
  const others = pinned.peek().filter((pin) => pin !== id);
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
  readonly config?: { readonly period?: string };
};
export type BoardPicture = { readonly tiles: readonly Tile[]; readonly values: ReadonlyMap<string, Node> };

/** This many nodes of a small picture are read. */
const MOST_VALUES = 24;
const VALUE_ATTRIBUTES =
  '_id,_class,name,currentValue,currentTime,oldestTime,currentStateId,states,units,format,displayType,chart.expectedIntervalSeconds';

/** Reads what a small picture shows of a dashboard: its tiles, and the nodes of those that show values or a line. */
export async function boardPicture(id: string): Promise<BoardPicture> {
  const { tiles = [] } = (await client.nodes.get(id, { attr: 'tiles' })) as { tiles?: readonly Tile[] };
  const ids = valueIds(tiles);
  const values = new Map<string, Node>();
  if (ids.length > 0) {
    const filter = ids.map((id) => `_id($eq:${id})`).join('|');
    for await (const node of client.nodes.list({ filter, attr: VALUE_ATTRIBUTES }))
      values.set(node._id as string, node as unknown as Node);
  }
  return { tiles, values };
}

/** A small picture has room for this many rows of a list. */
export const LIST_ROWS = 3;

export const isValueTile = ({ type }: Tile): boolean => type === 'VALUE' || type === 'SOLID_GAUGE';
export const isLineTile = ({ type }: Tile): boolean => type === 'STANDARD_CHART';

/** Counts the nodes of a tile that its small picture shows. */
const shownLinks = (tile: Tile): number =>
  tile.type === 'VALUE_LIST' ? LIST_ROWS : isValueTile(tile) || isLineTile(tile) ? 1 : 0;

const valueIds = (tiles: readonly Tile[]): readonly string[] =>
  [
    ...new Set(
      tiles.flatMap((tile) => (tile.links ?? []).slice(0, shownLinks(tile)).flatMap(({ nodeId }) => nodeId ?? [])),
    ),
  ].slice(0, MOST_VALUES);
