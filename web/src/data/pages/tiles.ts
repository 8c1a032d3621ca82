/** The API's tile (docs/reference/dashboards-and-reports.md#dashboard). */
export type BoardTile = {
  readonly _id: string;
  readonly type: TileType;
  readonly label: string;
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
  readonly style: string;
  readonly showAlarms: boolean;
  readonly links: readonly TileLink[];
  readonly config: Readonly<Record<string, unknown>>;
};
export type TileLink = { readonly nodeId: string; readonly name?: string };

type Kind = {
  /** The tile names at least this many nodes. */
  readonly min: number;
  readonly max: number;
  /** Names the classes of its nodes: a word for the search, and what follows `models.node.`. */
  readonly search: string;
  readonly accepts: RegExp;
  readonly size: { readonly w: number; readonly h: number };
  /** These may be set of it, in the order of the form. */
  readonly config: readonly string[];
};

const PARAMETER = { search: 'Point', accepts: /^point\./ };

/** Each type of tile takes these, beside what its schema says. */
const TILE_KINDS = {
  VALUE: { ...PARAMETER, min: 1, max: 1, size: { w: 3, h: 2 }, config: [] },
  STANDARD_CHART: { ...PARAMETER, min: 1, max: 15, size: { w: 6, h: 4 }, config: ['period', 'zoom'] },
  VALUE_LIST: { ...PARAMETER, min: 1, max: 50, size: { w: 4, h: 3 }, config: [] },
  HISTORIC_TABLE: {
    ...PARAMETER,
    min: 1,
    max: 15,
    size: { w: 6, h: 4 },
    config: ['period', 'aggregate', 'percentile', 'interval'],
  },
  SOLID_GAUGE: {
    search: 'Number',
    accepts: /^point\.Number/,
    min: 1,
    max: 1,
    size: { w: 3, h: 3 },
    config: ['minimum', 'maximum', 'shape'],
  },
  CUSTOM_CHART: { search: 'Chart', accepts: /^chart\./, min: 1, max: 1, size: { w: 6, h: 4 }, config: [] },
  LOCATION_MAP: {
    search: 'Location',
    accepts: /^location\./,
    min: 1,
    max: 1,
    size: { w: 4, h: 4 },
    config: ['zoom', 'mapStyle'],
  },
  ALARM_SUMMARY: { search: '', accepts: /^/, min: 1, max: 1, size: { w: 3, h: 3 }, config: ['period'] },
  ATTACHMENT_IMAGE: {
    search: 'Attachment',
    accepts: /^(?:Attachment$|source\.attachment\.)/,
    min: 1,
    max: 1,
    size: { w: 4, h: 4 },
    config: [],
  },
  STATIC_TEXT: { search: '', accepts: /^$/, min: 0, max: 0, size: { w: 4, h: 2 }, config: ['content'] },
} as const satisfies Readonly<Record<string, Kind>>;

export type TileType = keyof typeof TILE_KINDS;
export const TILE_TYPES = Object.keys(TILE_KINDS) as readonly TileType[];
export const kindOf = (type: TileType): Kind => TILE_KINDS[type] as Kind;

/** The grid is twelve columns wide. */
export const COLUMNS = 12;
export const MOST_TILES = 100;
const MOST_ROWS = 999;
const MOST_HEIGHT = 100;

const shortName = (name: string): string => name.slice(name.indexOf('.node.') + '.node.'.length);

/** Returns whether a tile may name a node of the class. */
export const acceptsClass = (type: TileType, name: string): boolean => kindOf(type).accepts.test(shortName(name));

/** Returns the tile that a node is shown by, where nobody has chosen one. */
export function tileFor(name: string): TileType {
  const wanted: readonly TileType[] = ['VALUE', 'CUSTOM_CHART', 'LOCATION_MAP', 'ATTACHMENT_IMAGE', 'ALARM_SUMMARY'];
  return wanted.find((type) => acceptsClass(type, name)) ?? 'ALARM_SUMMARY';
}

/** Returns whether a tile names as many nodes as it must: the server answers nothing for fewer. */
export const isComplete = ({ type, links }: BoardTile): boolean => links.length >= kindOf(type).min;

/** Makes an id that the server keeps, so that a tile stays recognisable before it is saved. */
export function newTileId(): string {
  const seconds = Math.floor(Date.now() / 1_000)
    .toString(16)
    .padStart(8, '0');
  const random = [...crypto.getRandomValues(new Uint8Array(8))].map((byte) => byte.toString(16).padStart(2, '0'));
  return seconds + random.join('');
}

export type Room = { readonly x: number; readonly y: number; readonly w: number; readonly h: number };

const covers = (a: Room, b: Room): boolean => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;

/** Returns the room that the grid allows and that is nearest to what is wanted. */
export function within({ x, y, w, h }: Room): Room {
  const width = Math.min(Math.max(w, 1), COLUMNS);
  return {
    x: Math.min(Math.max(x, 0), COLUMNS - width),
    y: Math.min(Math.max(y, 0), MOST_ROWS),
    w: width,
    h: Math.min(Math.max(h, 1), MOST_HEIGHT),
  };
}

/** Finds the first room, row by row, in which nothing stands. */
export function freeRoom(taken: readonly Room[], { w, h }: Pick<Room, 'w' | 'h'>): Room {
  const bottom = Math.max(0, ...taken.map((tile) => tile.y + tile.h));
  for (let y = 0; y < bottom; y += 1)
    for (let x = 0; x + w <= COLUMNS; x += 1) {
      const room = { x, y, w, h };
      if (!taken.some((tile) => covers(tile, room))) return room;
    }
  return within({ x: 0, y: bottom, w, h });
}

/** Sorts tiles in the order of reading: row by row. */
export const inRows = <T extends Room>(tiles: readonly T[]): readonly T[] =>
  [...tiles].sort((a, b) => a.y - b.y || a.x - b.x);
