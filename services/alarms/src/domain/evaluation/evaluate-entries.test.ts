import { NodeConfig, ValueType } from '@catchment/contracts/nodes';
import { atOnce } from '@catchment/fair-queue';
import { bitsOf } from '@catchment/ingest-log';
import { DEFAULT_QUALITY, qualityTable } from '@catchment/quality';
import { columnOf, type ModeName, type Updates } from '@catchment/testkit/write-model';
import { EMPTY_HISTORY, type KeptRecord, UNKNOWN_HISTORY } from '../history.ts';
import { type Node, toNode } from '../node.ts';
import type { Series } from '../series.ts';
import { type EvaluationState, evaluateEntries } from './evaluate-entries.ts';
import type { PlacedEntry } from './placed-entry.ts';
import { type StoredRecords, settledKey } from './stored-records.ts';

const IDS = { ownerId: 'owner', workspaceId: 'workspace', sourceId: 'source' };
const STATES = [
  { stateId: 'normal', name: 'NORMAL', occurrences: 1 },
  { stateId: 'high', name: 'HIGH', threshold: 50, occurrences: 1, isAlarm: true },
];
const seriesNode = (nodeId: string, states: readonly object[], qualityTypes: string[] = []): Node =>
  toNode(
    NodeConfig.fromPartial({
      ...IDS,
      nodeId,
      class: 'point.NumberPoint',
      alarms: qualityTypes.length > 0 ? [{ type: 'qualityAlarm', isEnabled: true, qualityTypes }] : [],
      series: { valueType: ValueType.VALUE_TYPE_NUMBER, multiplier: 1, statesType: 'RANGE', states: [...states] },
    }),
  );
const LEVEL = seriesNode('level', STATES);
const FLOW = seriesNode('flow', STATES);
const GRADED = seriesNode('graded', [], ['BAD']);
const PLAIN = seriesNode('plain', STATES.slice(0, 1));

const MESSAGE_MS = 1_000;
const write = (sequence: number, mode: ModeName, updates: Updates, { nodeId } = LEVEL): PlacedEntry => ({
  nodeId,
  sequence,
  index: 0,
  messageMs: MESSAGE_MS * sequence,
  entry: { kind: 'column', column: columnOf(mode, updates, { ...IDS, nodeId }) },
});
const put = (sequence: number, timeMs: number, v: number, node = LEVEL) =>
  write(sequence, 'MERGE_OVERWRITE_EXISTING', new Map([[timeMs, { v }]]), node);
const remove = (sequence: number, timeMs: number) => write(sequence, 'DELETE', new Map([[timeMs, null]]));
const undecided = (sequence: number, written?: Uint8Array): PlacedEntry => ({
  ...write(sequence, 'MERGE_FAIL_ON_EXISTING', new Map([[10, { v: 60 }]])),
  written,
});
const deletion = (sequence: number, recomputing = false): PlacedEntry => ({
  nodeId: LEVEL.nodeId,
  sequence,
  index: 0,
  messageMs: MESSAGE_MS * sequence,
  entry: {
    kind: 'seriesDelete',
    seriesDelete: {
      ...IDS,
      nodeId: LEVEL.nodeId,
      valueType: ValueType.VALUE_TYPE_NUMBER,
      recomputing,
      timeMs: 0,
      username: '',
    },
  },
});

const NEW: Series = { stateId: 'normal', history: EMPTY_HISTORY };
const UNSEEN: Series = { stateId: null, history: UNKNOWN_HISTORY };
const UNKNOWN: Series = { stateId: 'normal', history: UNKNOWN_HISTORY };
const CUT: Series = { stateId: 'high', history: { records: [{ timeMs: 5, value: 60 }], knownSinceMs: 5 } };
const answer = (sequence: number, newest: readonly KeptRecord[]): StoredRecords => ({
  newest,
  earlier: newest,
  beforeMs: MESSAGE_MS * sequence,
  logSequence: sequence,
});

const evaluate = (entries: readonly PlacedEntry[], before: Series, known: Partial<EvaluationState> = {}) => {
  const nodes = new Map([LEVEL, FLOW, GRADED, PLAIN].map((node) => [node.nodeId, { node, isSourceEnabled: true }]));
  return atOnce(
    evaluateEntries(entries, {
      nodes,
      series: new Map([...nodes.keys()].map((nodeId) => [nodeId, before])),
      alarms: [],
      quality: () => qualityTable(DEFAULT_QUALITY),
      stored: new Map(),
      settled: new Map(),
      waiting: new Set(),
      isLate: false,
      ...known,
    }),
  );
};

/** Returns what came of an evaluation, a line for each part of it. */
const outcome = (...given: Parameters<typeof evaluate>): string[] => {
  const found = evaluate(...given);
  if (found.kind === 'needs_quality') return found.ownerIds.map((ownerId) => `needs the qualities of ${ownerId}`);
  if (found.kind === 'needs_store')
    return [
      ...found.nodes.map(({ nodeId, beforeMs }) => `needs ${nodeId} before ${beforeMs}`),
      ...found.settled.map(({ nodeId, sequence }) => `needs ${nodeId} with ${sequence}`),
    ];
  const { changes, checks, waits } = found;
  return [
    ...(changes.series ?? []).map(
      ({ node, series, announce }) => `${node.nodeId} is ${series.stateId}${announce ? '' : ', silently'}`,
    ),
    ...(changes.alarms ?? []).map(({ type, alarm }) => `${type} ${alarm.alarmState}`),
    ...checks.map(({ nodeId, afterSequence }) => `${nodeId} is compared after ${afterSequence}`),
    ...waits.map(({ nodeId, sequence }) => `${nodeId} waits with ${sequence}`),
  ];
};

const storedOf = (records: StoredRecords | null) => new Map([['level', records]]);
const settledOf = (sequence: number, records: StoredRecords | null) =>
  new Map([[settledKey({ nodeId: 'level', sequence }), records]]);
const OFF = { nodes: new Map([['level', { node: LEVEL, isSourceEnabled: false }]]) };

test.each<[string, readonly PlacedEntry[], Series, Partial<EvaluationState>, readonly string[]]>([
  ['a record in another state raises the alarm', [put(1, 10, 60)], NEW, {}, ['level is high', 'stateAlarm ACTIVE']],
  ['a record in the same state is not announced', [put(1, 10, 40)], NEW, {}, ['level is normal, silently']],
  ['a series of a disabled source has states and no alarms', [put(1, 10, 60)], NEW, OFF, ['level is high']],
  ['a node that is gone has no effects', [put(1, 10, 60)], NEW, { nodes: new Map() }, []],
  [
    'each message is announced by itself',
    [put(1, 10, 60), put(2, 20, 40)],
    NEW,
    {},
    ['level is high', 'level is normal', 'stateAlarm ACTIVE', 'stateAlarm CLEARED'],
  ],
  [
    'entries that waited are announced by their end alone',
    [put(1, 10, 60), put(2, 20, 40)],
    NEW,
    { isLate: true },
    ['level is normal, silently', 'stateAlarm CLEARED'],
  ],
  ['a series of which nothing is known needs the store', [put(1, 10, 60)], UNKNOWN, {}, ['needs level before 1000']],
  [
    'the first message alone asks for what was before it',
    [put(1, 10, 60), put(2, 20, 40)],
    UNKNOWN,
    {},
    ['needs level before 1000'],
  ],
  [
    'an answer for another message does not count',
    [put(2, 10, 60)],
    UNKNOWN,
    { stored: storedOf(answer(1, [])) },
    ['needs level before 2000'],
  ],
  [
    'a series goes on from the answer of the store',
    [put(1, 10, 60)],
    UNKNOWN,
    { stored: storedOf(answer(1, [{ timeMs: 5, value: 40 }])) },
    ['level is high', 'stateAlarm ACTIVE'],
  ],
  [
    'a series that began while the store was ahead is compared later',
    [put(1, 10, 60)],
    UNKNOWN,
    { stored: storedOf({ ...answer(7, [{ timeMs: 20, value: 40 }]), earlier: [], beforeMs: 1_000 }) },
    ['level is high', 'stateAlarm ACTIVE', 'level is compared after 7'],
  ],
  [
    'a store that is away holds up its own series',
    [put(1, 10, 60), put(1, 10, 60, FLOW)],
    UNKNOWN,
    { stored: new Map([...storedOf(null), ['flow', answer(1, [])]]) },
    ['flow is high', 'stateAlarm ACTIVE', 'level waits with 1'],
  ],
  ['a history that gets too short needs a store with the message', [remove(3, 5)], CUT, {}, ['needs level with 3']],
  [
    'a store without the message lets the series wait',
    [remove(3, 5)],
    CUT,
    { settled: settledOf(3, null) },
    ['level waits with 3'],
  ],
  [
    'a store with the message says what is left',
    [remove(3, 5)],
    CUT,
    { settled: settledOf(3, answer(3, [{ timeMs: 1, value: 40 }])) },
    ['level is normal'],
  ],
  ['a column waits until it is said what was written', [undecided(1)], NEW, {}, ['level waits with 1']],
  [
    'a column that was not written changes no state',
    [undecided(1, bitsOf([], 1))],
    NEW,
    {},
    ['level is normal, silently'],
  ],
  [
    'a column that was written is evaluated',
    [undecided(1, bitsOf([0], 1))],
    NEW,
    {},
    ['level is high', 'stateAlarm ACTIVE'],
  ],
  [
    'entries behind one that waits wait too',
    [undecided(1), put(2, 20, 60), deletion(3)],
    NEW,
    {},
    ['level waits with 1', 'level waits with 2', 'level waits with 3'],
  ],
  [
    'a series that waits already goes on waiting',
    [put(2, 20, 60), put(2, 20, 60, FLOW)],
    NEW,
    { waiting: new Set(['level']) },
    ['flow is high', 'stateAlarm ACTIVE', 'level waits with 2'],
  ],
  ['a deletion leaves no state', [deletion(1)], CUT, {}, ['level is null']],
  [
    'a series with NORMAL alone is announced by its first value',
    [put(1, 10, 60, PLAIN)],
    UNSEEN,
    {},
    ['plain is normal'],
  ],
  [
    'a series with NORMAL alone is not announced by a deletion',
    [write(1, 'DELETE', new Map([[10, null]]), PLAIN)],
    UNSEEN,
    {},
    [],
  ],
  [
    'a record with a quality needs the settings of its account',
    [write(1, 'MERGE_OVERWRITE_EXISTING', new Map([[10, { v: 1, q: 1 }]]), GRADED)],
    NEW,
    { quality: () => undefined },
    ['needs the qualities of owner'],
  ],
])('%s', (_what, entries, before, known, expected) => {
  expect(outcome(entries, before, known)).toEqual(expected);
});
