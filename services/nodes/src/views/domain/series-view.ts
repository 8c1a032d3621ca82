import { idFrom } from '@catchment/ids';
import type { StoredState } from '@catchment/states';
import { formatIsoMs } from '@catchment/time';
import type { ClassNames } from '../../domain/body/class-names.ts';
import type { JsonObject } from '../../domain/body/rule.ts';
import { EDGES, type SeriesRecord } from '../../shown/index.ts';
import type { ViewedNode } from './viewed-node.ts';
import { withoutNulls } from './without-nulls.ts';

/** Values, times, qualities and state ids of a parameter or Location as the API names them. */
export function valuesView({ edges, shown, updatedMs }: ViewedNode): JsonObject {
  const view: Record<string, unknown> = {};
  for (const edge of EDGES) {
    const record = edges[edge];
    view[`${edge}Value`] = record && shownValue(record, shown[edge].number);
    view[`${edge}Time`] = record && formatIsoMs(record.ms);
    view[`${edge}Quality`] = record?.quality ?? null;
    view[`${edge}StateId`] = shown[edge].stateId;
  }
  view.rawValue = typeof edges.current?.value === 'number' ? edges.current.value : null;
  view.updatedTime = updatedMs === null ? null : formatIsoMs(updatedMs);
  return view;
}

function shownValue(
  { value }: SeriesRecord,
  number: number | null,
): number | string | readonly [number, number] | null {
  if (typeof value === 'number') return number;
  if (typeof value === 'string') return value;
  return '$millis' in value ? formatIsoMs(value.$millis) : value;
}

/** States as the API shows them (docs/reference/states.md#state-attributes). */
export const statesView = (states: readonly StoredState[], names: ClassNames): JsonObject[] =>
  states.map((state) => ({ _class: names.full('point.PointState'), ...withoutNulls(state) }));

/** The one fixed state of a Location (docs/reference/node-tree.md#attributes-of-classes). */
export const locationStates = (nodeId: string, names: ClassNames): JsonObject[] => [
  {
    _class: names.full('point.PointState'),
    _id: idFrom(nodeId, 'NORMAL'),
    index: 0,
    name: 'NORMAL',
    threshold: { _class: `${names.namespace}.util.geo.GeoPoint` },
    occurrences: 1,
    isAlarm: false,
    notify: 'NEVER',
  },
];
