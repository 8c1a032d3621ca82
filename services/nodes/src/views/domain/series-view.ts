import { idFrom } from '@catchment/ids';
import { matchState, type StatesConfig, type StoredState, toStatesConfig } from '@catchment/states';
import { formatIsoMs } from '@catchment/time';
import type { ClassNames } from '../../domain/body/class-names.ts';
import type { JsonObject } from '../../domain/body/rule.ts';
import { statesOf, transformOf } from '../../domain/classes/node.ts';
import type { RawValue, SeriesRecord } from '../../values/index.ts';
import type { ViewedNode } from './viewed-node.ts';
import { withoutNulls } from './without-nulls.ts';

/** Without a value there is no state. */
const NO_STATES: StatesConfig = { statesType: '', states: [], hysteresis: 0 };

/** Values, times, qualities and state ids of a parameter or Location as the API names them. */
export function valuesView(node: ViewedNode): JsonObject {
  const transform = transformOf(node.config);
  const shown = (record: SeriesRecord | null) => (record ? shownValue(record.value, transform) : null);
  const { current, previous, oldest } = node.edges;
  const states = (current ?? previous ?? oldest) ? toStatesConfig(statesOf(node.config)) : NO_STATES;
  const matched = (record: SeriesRecord | null) => matchedStateId(states, shown(record));
  return {
    currentValue: shown(current),
    currentTime: timeOf(current),
    currentQuality: current?.quality ?? null,
    currentStateId: currentStateId(states, node, shown(current)),
    previousValue: shown(previous),
    previousTime: timeOf(previous),
    previousQuality: previous?.quality ?? null,
    previousStateId: matched(previous),
    oldestValue: shown(oldest),
    oldestTime: timeOf(oldest),
    oldestQuality: oldest?.quality ?? null,
    oldestStateId: matched(oldest),
    rawValue: typeof current?.value === 'number' ? current.value : null,
    updatedTime: node.updatedMs === null ? null : formatIsoMs(node.updatedMs),
  };
}

const timeOf = (record: SeriesRecord | null): string | null => (record ? formatIsoMs(record.ms) : null);

type Shown = number | string | readonly [number, number] | null;

/** Multiplier and offset are applied when read, so that a change of them shows at once (docs/reference/parameters.md#attributes). */
export function shownValue(value: RawValue, { multiplier, offset }: { multiplier: number; offset: number }): Shown {
  if (typeof value === 'number') return value * multiplier + offset;
  if (typeof value === 'string') return value;
  return '$millis' in value ? formatIsoMs(value.$millis) : value;
}

const matchedStateId = (states: StatesConfig, value: Shown): string | null =>
  typeof value === 'number' || typeof value === 'string' ? (matchState(states, value)?.stateId ?? null) : null;

/**
 * As the alarms service has said. Matched is what it has not said yet, what it said before the states were replaced, and what it
 * said of a record that is gone by now.
 */
function currentStateId(states: StatesConfig, node: ViewedNode, value: Shown): string | null {
  const { current } = node.edges;
  if (value === null || current === null) return null;
  const isGone = node.reportedStateMs !== null && node.reportedStateMs > current.ms;
  const reported = isGone ? null : node.reportedStateId;
  if (reported === '' && states.statesType === 'DISCRETE') return null;
  if (reported && states.states.some(({ stateId }) => stateId === reported)) return reported;
  return matchedStateId(states, value);
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
