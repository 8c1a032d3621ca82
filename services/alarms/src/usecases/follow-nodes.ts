import type { NodeConfig } from '@catchment/contracts/nodes';
import * as replica from '@catchment/node-replica';
import { MAX_OCCURRENCES } from '@catchment/states';
import { changeAlarm } from '../domain/alarm.ts';
import { switchedOff } from '../domain/alarm-types.ts';
import { extendHistory, type History, UNKNOWN_HISTORY, type ValueRecord } from '../domain/history.ts';
import { matchesDifferently, type Node, seriesKind, toNode } from '../domain/node.ts';
import { type AlarmingState, type Series, silentState } from '../domain/series.ts';
import { clearedText } from './change-alarms.ts';
import type { AlarmStore, AlarmTransaction, NewEvent, NodeAlarm, SeriesChange, StoredHistory } from './ports.ts';

type Deps = { readonly store: AlarmStore; readonly history: StoredHistory };

type NodeChange = Omit<replica.NodeChange, 'node'> & { readonly node: Node; readonly config: NodeConfig };

/**
 * Takes over configurations. Where values match other states than before, the current state follows silently
 * (docs/reference/states.md#updates-of-states); the alarms of a source that was disabled, and alarms that are switched off,
 * are cleared (docs/reference/alarms.md#life-cycle).
 * @param followed in the order of the log; older revisions change nothing
 * @throws DomainError unavailable while historic is away
 */
export async function applyNodeChanges(
  deps: Deps,
  followed: readonly replica.NodeChange[],
  signal: AbortSignal,
): Promise<void> {
  const changes = replica
    .newestChanges(followed)
    .map(({ node, ...change }): NodeChange => ({ ...change, node: toNode(node), config: node }));
  const before = await deps.store.readNodes(changes.map(({ node }) => node.nodeId));
  const newer = changes.filter(({ node }) => {
    const known = before.get(node.nodeId);
    return known ? known.revision < node.revision : !before.has(node.nodeId);
  });
  const sources = changes.filter(({ node }) => node.isEnabled !== undefined).map(({ node }) => node.nodeId);
  if (newer.length === 0 && sources.length === 0) return;
  // Series that get states for the first time may have records by now.
  const beginning = newer.filter(
    ({ node, created }) => !created && seriesKind(node) === 'evaluated' && !isEvaluated(before.get(node.nodeId)),
  );
  const nodes = beginning.map(({ node }) => node);
  const stored = nodes.length > 0 ? await deps.history.newest(nodes, MAX_OCCURRENCES, signal) : new Map();
  await deps.store.transaction(async (tx) => {
    const saved = await tx.saveNodes(newer.map(({ config }) => config));
    const applied = newer.filter(({ node }) => saved.has(node.nodeId));
    await followStates(tx, applied, before, stored);
    await clearDisabled(tx, applied, before);
    // A source may be stored already, by what looked for it in between: what is stored decides.
    if (sources.length > 0) {
      const stored = await tx.nodes(sources.sort());
      await tx.watchSources([...stored.values()].map(({ node }) => node));
    }
    // The parameters of a source, and its files, decide how fresh it is.
    await tx.lookSoon(applied.flatMap(({ node, config }) => [node.sourceId, config.parentId]));
  });
}

const isEvaluatedDifferently = (before: Node | undefined, after: Node): boolean =>
  matchesDifferently(before?.rules, after.rules) || (before !== undefined && seriesKind(before) !== seriesKind(after));

const isEvaluated = (node: Node | undefined): boolean => node !== undefined && seriesKind(node) === 'evaluated';

async function followStates(
  tx: AlarmTransaction,
  applied: readonly NodeChange[],
  before: ReadonlyMap<string, Node | undefined>,
  stored: ReadonlyMap<string, readonly ValueRecord[]>,
): Promise<void> {
  const concerned = applied
    .map(({ node }) => node)
    .filter((node) => isEvaluatedDifferently(before.get(node.nodeId), node));
  if (concerned.length === 0) return;
  const rows = await tx.series(concerned.map((node) => node.nodeId).sort());
  const changes = concerned.flatMap((node): SeriesChange[] => {
    const row = rows.get(node.nodeId);
    const records = stored.get(node.nodeId);
    if (!row && !records?.length) return [];
    const series = followed(node, row, records);
    return [{ node, series, announce: series.stateId !== (row?.stateId ?? null) }];
  });
  await tx.save({ series: changes });
}

function followed(node: Node, row: Series | undefined, records: readonly ValueRecord[] | undefined): Series {
  const { rules } = node;
  // While there is nothing to evaluate, records pass by unseen: what was known of them is no longer true.
  const stateOf = (state: AlarmingState | undefined) => (rules || row?.stateId ? (state?.stateId ?? '') : null);
  if (seriesKind(node) !== 'evaluated') return { stateId: stateOf(rules?.states[0]), history: UNKNOWN_HISTORY };
  let history: History = row?.history ?? UNKNOWN_HISTORY;
  if (records) {
    const beforeMs = Number.POSITIVE_INFINITY;
    history = extendHistory(UNKNOWN_HISTORY, records, { asked: MAX_OCCURRENCES, beforeMs });
  }
  return { stateId: stateOf(rules && silentState(rules, history)), history };
}

async function clearDisabled(
  tx: AlarmTransaction,
  applied: readonly NodeChange[],
  before: ReadonlyMap<string, Node | undefined>,
): Promise<void> {
  const disabled = new Map(
    applied
      .filter(({ node }) => node.isEnabled === false && before.get(node.nodeId)?.isEnabled !== false)
      .map((change) => [change.node.nodeId, change]),
  );
  if (disabled.size > 0) {
    await clear(tx, await tx.raisedUnder([...disabled.keys()]), ({ sourceId }) => disabled.get(sourceId));
  }
  const off = new Map(applied.map((change) => [change.node.nodeId, change]));
  const types = new Map(applied.map(({ node }) => [node.nodeId, switchedOff(before.get(node.nodeId), node)]));
  const nodeIds = [...types].flatMap(([nodeId, own]) => (own.length > 0 ? [nodeId] : [])).sort();
  if (nodeIds.length === 0) return;
  const stored = await tx.alarms(nodeIds, [...new Set([...types.values()].flat())]);
  const raised = stored.flatMap(({ nodeId, type, alarm }): NodeAlarm[] => {
    const node = off.get(nodeId)?.node;
    return node && types.get(nodeId)?.includes(type) && alarm.alarmState !== 'CLEARED' ? [{ node, type, alarm }] : [];
  });
  await clear(tx, raised, ({ nodeId }) => off.get(nodeId));
}

/** @param changeOf what switched them off */
async function clear(
  tx: AlarmTransaction,
  raised: readonly NodeAlarm[],
  changeOf: (node: Node) => NodeChange | undefined,
): Promise<void> {
  const alarms = raised.map((one) => ({ ...one, alarm: changeAlarm(one.alarm, { kind: 'clear' }).alarm }));
  const events = raised.flatMap(({ node, type }): NewEvent[] => {
    const change = changeOf(node);
    if (!change) return [];
    const { timeMs } = change;
    const username = change.username || 'System';
    const message = clearedText(type);
    const about = { node, alarmType: type, alarmState: 'CLEARED', timeMs, username, message } as const;
    return [{ ...about, level: 'INFO', eventType: 'CONFIGURATION' }];
  });
  if (alarms.length > 0) await tx.save({ alarms, events });
}
