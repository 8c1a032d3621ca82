import { idFrom } from '@catchment/ids';
import { NOTIFY_MODES, type StoredState } from '@catchment/states';
import { formatIsoMs } from '@catchment/time';
import type { ClassNames } from '../../domain/body/class-names.ts';
import type { JsonObject } from '../../domain/body/rule.ts';
import { OBJECT_ID } from '../../domain/body/rule-schema.ts';
import type { ValueFamily } from '../../domain/classes/node-class.ts';
import { EDGES, type SeriesRecord, type ShownRecord } from '../../shown/index.ts';
import type { ViewedNode } from './viewed-node.ts';
import { withoutNulls } from './without-nulls.ts';

/** Gets an attribute and its value; each attribute once. @param isPlain the value is a text in which nothing is to be escaped */
export type Put = (name: string, value: unknown, isPlain?: true) => void;

/** Values, times, qualities and state ids of a parameter or Location as the API names them. */
export function putValues(put: Put, { edges, shown, updatedMs }: ViewedNode): void {
  for (const [edge, [valueName, timeName, qualityName, stateName]] of EDGE_NAMES) {
    const record = edges[edge];
    const value = shownValue(record, shown[edge]);
    const { stateId } = shown[edge];
    if (value !== null) put(valueName, value);
    if (record) put(timeName, formatIsoMs(record.ms), true);
    if (record && record.quality !== null) put(qualityName, record.quality);
    if (stateId !== null) put(stateName, stateId);
  }
  if (typeof edges.current?.value === 'number') put('rawValue', edges.current.value);
  if (updatedMs !== null) put('updatedTime', formatIsoMs(updatedMs), true);
}

const EDGE_NAMES = EDGES.map(
  (edge) => [edge, [`${edge}Value`, `${edge}Time`, `${edge}Quality`, `${edge}StateId`] as const] as const,
);

const TIME: JsonObject = { type: 'string', format: 'date-time' };

/** `shownValue` gives a value of this JSON Schema. */
const VALUES: Readonly<Record<ValueFamily, JsonObject>> = {
  NUMBER: { type: 'number' },
  TEXT: { type: 'string' },
  TIME,
  COORDINATES: {
    type: 'array',
    description: 'Latitude and longitude.',
    items: { type: 'number' },
    minItems: 2,
    maxItems: 2,
  },
};

/** Returns JSON Schemas of what `valuesView` shows of a family. */
export const valuesSchemas = (family: ValueFamily): Readonly<Record<string, JsonObject>> => ({
  ...Object.fromEntries(
    ['current', 'previous', 'oldest'].flatMap((edge) => [
      [`${edge}Value`, VALUES[family]],
      [`${edge}Time`, TIME],
      [`${edge}Quality`, { type: 'integer' }],
      ...(family === 'TIME' ? [] : [[`${edge}StateId`, OBJECT_ID]]),
    ]),
  ),
  ...(family === 'NUMBER' && {
    rawValue: {
      type: 'number',
      description: 'The current value before multiplier and offset, or the equation.',
    },
  }),
  updatedTime: TIME,
});

export const controlSchema = (family: ValueFamily): JsonObject => VALUES[family];

const THRESHOLDS = {
  NUMBER: { type: 'number' },
  TEXT: { type: 'string' },
  COORDINATES: { type: 'object', properties: { _class: { type: 'string' } } },
} as const;

const STATE_NAMES = { NUMBER: 'NumberState', TEXT: 'TextState', COORDINATES: 'LocationState' } as const;

/** Returns the JSON Schema of a state as `statesView` and `locationStates` show it. */
export const shownStateSchema = (family: keyof typeof THRESHOLDS, names: ClassNames): JsonObject => ({
  $id: STATE_NAMES[family],
  type: 'object',
  properties: {
    _class: { type: 'string', enum: [names.full('point.PointState')] },
    _id: OBJECT_ID,
    index: { type: 'integer', description: 'Position in the list, from 0.' },
    name: { type: 'string' },
    threshold: THRESHOLDS[family],
    occurrences: { type: 'integer' },
    isAlarm: { type: 'boolean' },
    notify: { type: 'string', enum: NOTIFY_MODES },
    ...(family !== 'COORDINATES' && {
      categoryId: OBJECT_ID,
      messageAway: { type: 'string' },
      messageTowards: { type: 'string' },
      qualityCode: { type: 'integer' },
      description: { type: 'string' },
    }),
  },
});

type ShownValue = number | string | readonly [number, number] | null;

/** Returns a value as the API shows it. */
export function shownValue(record: SeriesRecord | null, { number }: ShownRecord): ShownValue {
  if (!record || typeof record.value === 'number') return number;
  if (typeof record.value === 'string') return record.value;
  return '$millis' in record.value ? formatIsoMs(record.value.$millis) : record.value;
}

/** Returns the value of a control parameter that waits to be sent. */
export const controlView = ({ controlValue }: ViewedNode): ShownValue =>
  controlValue !== null && typeof controlValue === 'object' && '$millis' in controlValue
    ? formatIsoMs(controlValue.$millis)
    : controlValue;

/** Returns states as the API shows them (docs/reference/states.md#state-attributes). */
export const statesView = (states: readonly StoredState[], names: ClassNames): JsonObject[] =>
  states.map((state) => withoutNulls(state, { _class: names.full('point.PointState') }));

/** A Location has one fixed state (docs/reference/node-tree.md#attributes-of-classes). */
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
