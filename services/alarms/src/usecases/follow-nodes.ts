import type { NodeConfig } from '@catchment/contracts/nodes';
import { unavailable } from '@catchment/errors';
import { type NodeChange as FollowedChange, newestChanges } from '@catchment/node-replica';
import type { QualityTable } from '@catchment/quality';
import { MAX_OCCURRENCES } from '@catchment/states';
import { changeAlarm } from '../domain/alarm.ts';
import { AlarmChanges } from '../domain/alarm-changes.ts';
import { switchedOff } from '../domain/alarm-types.ts';
import type { NewEvent, NodeAlarm, SeriesChange } from '../domain/changes.ts';
import { extendHistory, type KeptRecord, needsStore, UNKNOWN_HISTORY } from '../domain/history.ts';
import {
  alarmsDifferently,
  gradesDifferently,
  isAlarmOn,
  matchesDifferently,
  type Node,
  seriesKind,
  toNode,
} from '../domain/node.ts';
import { evaluatedAnew, normalOf, occurrencesNeeded, type Series } from '../domain/series.ts';
import { clearedText } from './change-alarms.ts';
import { isAway } from './evaluate-in-rounds.ts';
import { type FollowedLog, followedSoFar } from './followed-log.ts';
import { JUDGED_TYPES, judgeQuality, judgeState } from './judge-states.ts';
import type { AlarmStore, AlarmTransaction, KnownQualities, StoredHistory } from './ports.ts';

export type FollowDeps = {
  readonly store: AlarmStore;
  readonly history: StoredHistory;
  readonly quality: KnownQualities;
  readonly log: FollowedLog;
};

type NodeChange = Omit<FollowedChange, 'node'> & { readonly node: Node; readonly config: NodeConfig };

/** These facts about changes are known before their transaction. */
type Known = {
  readonly before: ReadonlyMap<string, Node | undefined>;
  /** Series that get something to evaluate have these newest records. */
  readonly stored: ReadonlyMap<string, readonly KeptRecord[]>;
  /** Series whose records may still be on their way to the store wait for this end of the log. */
  readonly unsettled: ReadonlyMap<string, number>;
  /** The log ended here when these series asked for more records in a row than before. */
  readonly wider: ReadonlyMap<string, number>;
  readonly tables: ReadonlyMap<string, QualityTable>;
};

/** Another replica may store changes of the same nodes between two looks. */
const LOOKS = 5;

/**
 * Takes over configurations. What the alarms about states and qualities say becomes true for the settings that hold
 * (docs/reference/states.md#updates-of-states); the alarms of a source that was disabled, and alarms that are switched off,
 * are cleared (docs/reference/alarms.md#life-cycle).
 * @param followed in the order of the log; older revisions change nothing
 * @throws DomainError unavailable while historic is away
 */
export async function applyNodeChanges(
  deps: FollowDeps,
  followed: readonly FollowedChange[],
  signal: AbortSignal,
): Promise<void> {
  const changes = newestChanges(followed).map(
    ({ node, ...change }): NodeChange => ({ ...change, node: toNode(node), config: node }),
  );
  for (let look = 0; look < LOOKS; look += 1) {
    const before = await deps.store.readNodes(changes.map(({ node }) => node.nodeId));
    const newer = changes.filter(({ node }) => isNewer(before, node));
    const sources = changes.filter(({ node }) => node.isEnabled !== undefined).map(({ node }) => node.nodeId);
    if (newer.length === 0 && sources.length === 0) return;
    const known = await lookUp(deps, before, newer, signal);
    if (await deps.store.transaction((tx) => take(tx, known, newer, sources))) return;
    signal.throwIfAborted();
  }
  throw unavailable('DATABASE_BUSY');
}

function isNewer(before: Known['before'], node: Node): boolean {
  const known = before.get(node.nodeId);
  return known ? known.revision < node.revision : !before.has(node.nodeId);
}

async function lookUp(
  { history, quality, log }: FollowDeps,
  before: Known['before'],
  newer: readonly NodeChange[],
  signal: AbortSignal,
): Promise<Known> {
  // Series that get something to evaluate may have records by now; also those whose creation comes only now, when the log has named them before.
  const mayHaveRecords = ({ node, created }: NodeChange) => !created || before.has(node.nodeId);
  const beginning = newer
    .filter((change) => mayHaveRecords(change) && seriesKind(change.node) === 'evaluated')
    .map(({ node }) => node)
    .filter(({ nodeId }) => !isEvaluated(before.get(nodeId)));
  const unsettled = new Map<string, number>();
  const end = beginning.length > 0 ? await log.end() : 0;
  const settled = new Map<string, boolean>();
  for (const node of beginning) {
    const known = settled.get(node.sourceId) ?? (await isSettled(history, node, end, signal));
    settled.set(node.sourceId, known);
    if (!known) unsettled.set(node.nodeId, end);
  }
  const readable = beginning.filter(({ nodeId }) => !unsettled.has(nodeId));
  const stored = new Map(readable.length > 0 ? await history.newest(readable, MAX_OCCURRENCES, signal) : []);
  // Records that the store has and the reader of the log does not know yet are news.
  const isFollowed = await followedSoFar(log, readable);
  for (const node of readable) {
    if (isFollowed(node)) continue;
    stored.delete(node.nodeId);
    unsettled.set(node.nodeId, end);
  }
  const asking = newer.filter(({ node }) => occurrencesOf(node) > occurrencesOf(before.get(node.nodeId)));
  const askedAt = asking.length > 0 ? await log.end() : 0;
  const wider = new Map(asking.map(({ node }) => [node.nodeId, askedAt]));
  const graded = newer.filter(
    ({ node }) => isAlarmOn(node, 'qualityAlarm') && gradesDifferently(before.get(node.nodeId), node),
  );
  const tables = new Map<string, QualityTable>();
  for (const ownerId of new Set(graded.map(({ node }) => node.ownerId)))
    tables.set(ownerId, await quality.load(ownerId));
  return { before, stored, unsettled, wider, tables };
}

/** False too where nobody can say it now: then the series is judged later. */
async function isSettled(history: StoredHistory, node: Node, end: number, signal: AbortSignal): Promise<boolean> {
  try {
    return await history.isStored(node, end, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (isAway(error)) return false;
    throw error;
  }
}

const occurrencesOf = (node: Node | undefined): number => (node?.rules ? occurrencesNeeded(node.rules) : 1);
const isEvaluated = (node: Node | undefined): boolean => node !== undefined && seriesKind(node) === 'evaluated';

/** @returns false when somebody has stored other changes of these nodes meanwhile: nothing is done then */
async function take(
  tx: AlarmTransaction,
  known: Known,
  newer: readonly NodeChange[],
  sources: readonly string[],
): Promise<boolean> {
  const { before } = known;
  const locked = await tx.nodesBefore(newer.map(({ node }) => node.nodeId));
  const isSame = ({ node: { nodeId } }: NodeChange) =>
    locked.has(nodeId) === before.has(nodeId) && locked.get(nodeId)?.revision === before.get(nodeId)?.revision;
  if (!newer.every(isSame)) return false;
  const saved = await tx.saveNodes(newer.map(({ config }) => config));
  const applied = newer.filter(({ node }) => saved.has(node.nodeId));
  await clearDisabled(tx, applied, before);
  await followSeries(tx, applied, known);
  const isElsewhere = ({ nodeId, workspaceId }: Node) => before.get(nodeId)?.workspaceId !== workspaceId;
  await tx.moveAlarms(applied.map(({ node }) => node).filter((node) => before.get(node.nodeId) && isElsewhere(node)));
  const enabled = applied.filter(({ node }) => node.isEnabled && before.get(node.nodeId)?.isEnabled === false);
  await tx.judgeSeriesOf(enabled.map((change) => ({ nodeId: change.node.nodeId, ...causeOf(change) })));
  // A source may be stored already, by what looked for it in between: what is stored decides.
  if (sources.length > 0) {
    const stored = await tx.nodes([...sources].sort());
    await tx.watchSources([...stored.values()].map(({ node }) => node));
  }
  // The parameters of a source, and its files, decide how fresh it is.
  await tx.lookSoon(applied.flatMap(({ node, config }) => [node.sourceId, config.parentId]));
  return true;
}

const causeOf = ({ timeMs, username }: NodeChange) => ({ timeMs, username: username || 'System' });

const isEvaluatedDifferently = (before: Node | undefined, after: Node): boolean =>
  matchesDifferently(before?.rules, after.rules) || (before !== undefined && seriesKind(before) !== seriesKind(after));

const isJudgedDifferently = (before: Node | undefined, after: Node): boolean =>
  isEvaluatedDifferently(before, after) ||
  alarmsDifferently(before?.rules, after.rules) ||
  gradesDifferently(before, after) ||
  (before !== undefined && before.sourceId !== after.sourceId);

/** States follow changed settings silently; the alarms about states and qualities say why they change. */
async function followSeries(
  tx: AlarmTransaction,
  applied: readonly NodeChange[],
  { before, stored, unsettled, wider, tables }: Known,
): Promise<void> {
  const concerned = applied.filter(({ node }) => isJudgedDifferently(before.get(node.nodeId), node));
  if (concerned.length === 0) return;
  const nodeIds = concerned.map(({ node }) => node.nodeId).sort();
  const locked = await tx.nodes(nodeIds);
  const rows = await tx.series(nodeIds);
  const alarms = new AlarmChanges(await tx.alarms(nodeIds, JUDGED_TYPES));
  const series: SeriesChange[] = [];
  const later = new Map(unsettled);
  for (const change of concerned) {
    const { node } = change;
    const [row, known] = [rows.get(node.nodeId), before.get(node.nodeId)];
    const after = followed(node, known, row, stored.get(node.nodeId));
    if (!after) continue;
    const end = wider.get(node.nodeId);
    if (end !== undefined && !unsettled.has(node.nodeId) && needsStore(after.history, occurrencesOf(node))) {
      // A deletion has left too few: the store says whether there are more, before anything is said.
      later.set(node.nodeId, end);
      continue;
    }
    if (after !== row) series.push({ node, series: after, announce: after.stateId !== (row?.stateId ?? null) });
    if (unsettled.has(node.nodeId)) continue;
    const { isSourceEnabled = true } = locked.get(node.nodeId) ?? {};
    const judged = { node, isSourceEnabled, before: row, rulesBefore: known?.rules, after, ...causeOf(change) };
    judgeState(alarms, judged);
    const table = tables.get(node.ownerId);
    if (table && gradesDifferently(known, node)) judgeQuality(alarms, judged, table);
  }
  await tx.save({ series, ...alarms.changes });
  const judgements = concerned.flatMap((change) => {
    const afterSequence = later.get(change.node.nodeId);
    if (afterSequence === undefined) return [];
    return [{ nodeId: change.node.nodeId, afterSequence, needsStore: true, ...causeOf(change) }];
  });
  await tx.judgeLater(judgements);
}

/** Returns the series by the settings that hold now; undefined: nothing is known of it. */
function followed(
  node: Node,
  before: Node | undefined,
  row: Series | undefined,
  records: readonly KeptRecord[] | undefined,
): Series | undefined {
  if (!row && !records?.length) return undefined;
  if (row && !records && !isEvaluatedDifferently(before, node)) return row;
  const { rules } = node;
  // Records pass by unseen while there is nothing to evaluate: what was known of them is no longer true.
  if (seriesKind(node) !== 'evaluated') {
    const stateId = rules || row?.stateId ? (rules?.states[0]?.stateId ?? '') : null;
    return { stateId, history: UNKNOWN_HISTORY };
  }
  const asked = { asked: MAX_OCCURRENCES };
  const history = records ? extendHistory(UNKNOWN_HISTORY, records, asked) : (row?.history ?? UNKNOWN_HISTORY);
  if (!rules) return { stateId: row?.stateId ? '' : null, history };
  return history === UNKNOWN_HISTORY && history.records.length === 0
    ? { stateId: normalOf(rules)?.stateId ?? '', history }
    : evaluatedAnew(rules, history, before?.rules);
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
  const nodeIds = [...types].flatMap(([nodeId, types]) => (types.length > 0 ? [nodeId] : [])).sort();
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
  const alarms = raised.map((raisedAlarm) => ({
    ...raisedAlarm,
    alarm: changeAlarm(raisedAlarm.alarm, { kind: 'clear' }).alarm,
  }));
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
