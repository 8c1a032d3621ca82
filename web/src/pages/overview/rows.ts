import type { Alarm } from '../../data/alarms/alarms.ts';
import type { Place } from '../../data/tree/locations.ts';
import type { Box, SiteState } from '../../maps/sites-map.ts';
import { textOrder } from '../../ui/table/text-order.ts';

/** A row is a place with what is raised in it. */
export type PlaceRow = {
  readonly place: Place;
  readonly workspace: string;
  readonly state: SiteState;
  readonly alarms: readonly Alarm[];
};

/** Sorts places by their names. Alarms change more often than they. */
export function byName(places: Iterable<Place>, locale: string): readonly Place[] {
  const all = [...places];
  const order = textOrder(
    all.map(({ name }) => name),
    locale,
  );
  return all
    .map((_place, i) => i)
    .sort(order)
    .map((i) => all[i]!);
}

/** Lists all places, those first where most is to be done, otherwise in the order that they have. */
export function rowsOf(
  places: readonly Place[],
  alarms: ReadonlyMap<string, readonly Alarm[]>,
  workspaces: ReadonlyMap<string, string>,
): readonly PlaceRow[] {
  const rows = places.map((place): PlaceRow => {
    const raised = alarms.get(place._id) ?? [];
    return { place, workspace: workspaces.get(place.workspaceId) ?? '', state: worst(raised), alarms: raised };
  });
  return rows.sort((a, b) => RANK[b.state] - RANK[a.state]);
}

const RANK: Readonly<Record<SiteState, number>> = { NORMAL: 0, ACKNOWLEDGED: 1, ACTIVE: 2 };

const worst = (alarms: readonly Alarm[]): SiteState =>
  alarms.some(({ alarmState }) => alarmState === 'ACTIVE') ? 'ACTIVE' : alarms.length > 0 ? 'ACKNOWLEDGED' : 'NORMAL';

/** Returns whether a place stands in a part of the map, beyond the date line too. */
export function isIn({ position }: Place, { west, south, east, north }: Box): boolean {
  if (position === undefined) return false;
  const { latitude, longitude } = position;
  if (latitude < south || latitude > north) return false;
  return [-360, 0, 360].some((turn) => longitude + turn >= west && longitude + turn <= east);
}

const BOX = /^(-?\d+(?:\.\d+)?),(-?\d+(?:\.\d+)?),(-?\d+(?:\.\d+)?),(-?\d+(?:\.\d+)?)$/;

/** Reads the part of the map that an address names: west, south, east, north; what it says wrongly is left out. */
export function boxOf(text: string | undefined): Box | undefined {
  const [, west = 0, south = 0, east = 0, north = 0] = (BOX.exec(text ?? '') ?? []).map(Number);
  const isBox = west < east && south < north && south >= -90 && north <= 90 && east - west <= 1_080;
  return isBox ? { west, south, east, north } : undefined;
}

export const boxText = ({ west, south, east, north }: Box): string =>
  [west, Math.max(south, -90), east, Math.min(north, 90)].map((degree) => String(Number(degree.toFixed(4)))).join(',');
