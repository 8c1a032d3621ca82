import type { DashboardView, TileView } from '@catchment/dashboard-view';
import { batch, computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { type Zone, zoneOf } from '../format/zone.ts';
import type { Connection } from './feed.ts';
import type { Get } from './requests.ts';

/** The page shows this; a change of a tile is drawn by that tile alone. */
export type PageState = {
  /** The view lacks its tiles' news: those are in `tileOf`. */
  readonly view: ReadonlySignal<DashboardView>;
  readonly tileOf: (id: string) => ReadonlySignal<TileView>;
  readonly zone: ReadonlySignal<Zone>;
  readonly connection: Signal<Connection>;
  /** The server's clock, in steps of some seconds: devices' own clocks may be wrong. */
  readonly nowMs: ReadonlySignal<number>;
  /** The server's clock, exactly. */
  readonly clock: () => number;
  readonly tick: () => void;
  readonly takeView: (view: DashboardView) => void;
  readonly takeTile: (tile: TileView) => void;
  /** Reads the data of a tile that has no address, as it is not saved. */
  readonly ask?: Get;
  /** A screen reader says this of the latest change, which is one of alarms. */
  readonly announcement: ReadonlySignal<string>;
};

export function pageState(first: DashboardView, clock: () => number): PageState {
  const view = signal(first);
  const tiles = new Map<string, Signal<TileView>>();
  let aheadMs = 0;
  const nowMs = signal(0);
  const announcement = signal('');

  const serverClock = () => clock() + aheadMs;
  const tick = () => {
    nowMs.value = serverClock();
  };
  const takeTime = ({ generatedTime }: DashboardView) => {
    const ms = Date.parse(generatedTime);
    if (Number.isFinite(ms)) aheadMs = ms - clock();
    tick();
  };
  const setTile = (tile: TileView) => {
    const known = tiles.get(tile.id);
    if (known === undefined) {
      tiles.set(tile.id, signal(tile));
      return;
    }
    const before = known.peek();
    if (JSON.stringify(before) === JSON.stringify(tile)) return;
    known.value = tile;
    if (before.alarm !== tile.alarm) announcement.value = alarmNews(tile);
  };
  const takeTiles = (all: readonly TileView[]) => {
    for (const tile of all) setTile(tile);
    const ids = new Set(all.map(({ id }) => id));
    for (const id of [...tiles.keys()]) if (!ids.has(id)) tiles.delete(id);
  };
  takeTime(first);
  takeTiles(first.tiles);

  return {
    view,
    tileOf: (id) => tiles.get(id)!,
    zone: computed(() =>
      zoneOf(view.value.timezone, view.value.adjustForDst, new Date(view.value.generatedTime).getUTCFullYear()),
    ),
    connection: signal<Connection>({ kind: 'connecting' }),
    nowMs,
    clock: serverClock,
    tick,
    takeView: (next) => {
      batch(() => {
        takeTime(next);
        takeTiles(next.tiles);
        if (JSON.stringify(next) !== JSON.stringify(view.peek())) view.value = next;
      });
    },
    takeTile: (tile) => {
      // A tile of a view that has not come yet comes again with it.
      if (tiles.has(tile.id)) setTile(tile);
    },
    announcement,
  };
}

const ALARM_NEWS = { ACTIVE: 'alarm active', ACKNOWLEDGED: 'alarm acknowledged' } as const;
const alarmNews = (tile: TileView): string =>
  `${nameOfTile(tile)}: ${tile.alarm === null ? 'no alarm any more' : ALARM_NEWS[tile.alarm]}`;

/** Returns its label; without one, the name of what it shows. */
export function nameOfTile({ label, content }: TileView): string {
  if (label !== '') return label;
  if ((content.type === 'VALUE' || content.type === 'SOLID_GAUGE') && content.parameter) return content.parameter.name;
  if ('name' in content && content.name) return content.name;
  return NAMES[content.type];
}

const NAMES: Readonly<Record<TileView['content']['type'], string>> = {
  VALUE: 'Value',
  VALUE_LIST: 'Values',
  HISTORIC_TABLE: 'Table',
  STANDARD_CHART: 'Chart',
  CUSTOM_CHART: 'Chart',
  ALARMS: 'Alarms',
  ALARM_SUMMARY: 'Alarm events',
  LOCATION_MAP: 'Map',
  ATTACHMENT_IMAGE: 'Picture',
  SOLID_GAUGE: 'Gauge',
  STATIC_TEXT: 'Text',
};
