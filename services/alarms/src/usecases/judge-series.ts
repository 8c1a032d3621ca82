import { Pace } from '@catchment/fair-queue';
import type { QualityTable } from '@catchment/quality';
import { MAX_OCCURRENCES } from '@catchment/states';
import { AlarmChanges } from '../domain/alarm-changes.ts';
import type { SeriesChange } from '../domain/changes.ts';
import { hasSameRecords, type KeptRecord, UNKNOWN_HISTORY, withStored } from '../domain/history.ts';
import type { Judgement } from '../domain/judgement.ts';
import { isAlarmOn, type Node, seriesKind } from '../domain/node.ts';
import { evaluatedAnew, evaluateRecord, matcher, type Series } from '../domain/series.ts';
import { isAway } from './evaluate-in-rounds.ts';
import { type FollowedLog, followedSoFar, partitionFor } from './followed-log.ts';
import { JUDGED_TYPES, judgeQuality, judgeState } from './judge-states.ts';
import type { AlarmStore, AlarmTransaction, KnownQualities, StoredHistory } from './ports.ts';

type JudgeDeps = {
  readonly store: AlarmStore;
  readonly history: StoredHistory;
  readonly quality: KnownQualities;
  readonly log: FollowedLog;
  readonly now: () => number;
};

/** One transaction judges this many series. */
const AT_ONCE = 200;
/** The others wait too while this many cannot be judged yet. */
const MAX_UNREADY = 5_000;
/** A store that the readers of the log do not come up to meanwhile is read again later. */
const FOLLOW_MS = 2_000;

/**
 * Judges the series that are to be: after a recomputation, when a source is enabled again, where records were on their way while
 * states were made, and once after the release that does so. Any number of replicas may be about it; each is judged once.
 * @throws DomainError unavailable
 */
export async function judgeSeries(deps: JudgeDeps, signal: AbortSignal): Promise<void> {
  const without: string[] = [];
  while (without.length < MAX_UNREADY) {
    signal.throwIfAborted();
    const all = await deps.store.judgements(AT_ONCE, without);
    if (all.length === 0) return;
    const nodes = await deps.store.readNodes(all.map(({ nodeId }) => nodeId));
    const ready = await readyOnes(deps, all, nodes, signal);
    const judged = ready.length > 0 ? await judgeSome(deps, ready, nodes, signal) : new Set<string>();
    // They are looked at again the next time.
    without.push(...all.flatMap(({ nodeId }) => (judged.has(nodeId) ? [] : [nodeId])));
  }
}

async function readyOnes(
  { log, history }: JudgeDeps,
  all: readonly Judgement[],
  nodes: ReadonlyMap<string, Node | undefined>,
  signal: AbortSignal,
): Promise<Judgement[]> {
  const answers = new Map<string, Promise<boolean>>();
  const ask = async (node: Node, { afterSequence, needsStore }: Judgement): Promise<boolean> => {
    if (!(await log.isFollowed(partitionFor(log, node), afterSequence))) return false;
    return !needsStore || history.isStored(node, afterSequence, signal).catch(unlessAway(signal));
  };
  const isReady = (judgement: Judgement): Promise<boolean> | true => {
    const { nodeId, afterSequence, needsStore } = judgement;
    const node = nodes.get(nodeId);
    if (!node || afterSequence === 0) return true;
    const key = `${needsStore} ${node.sourceId} ${afterSequence}`;
    const answer = answers.get(key) ?? ask(node, judgement);
    answers.set(key, answer);
    return answer;
  };
  const ready: Judgement[] = [];
  for (const judgement of all) if (await isReady(judgement)) ready.push(judgement);
  return ready;
}

const unlessAway = (signal: AbortSignal) => (error: unknown) => {
  signal.throwIfAborted();
  if (isAway(error)) return false;
  throw error;
};

async function judgeSome(
  { store, history, quality, log, now }: JudgeDeps,
  all: readonly Judgement[],
  nodes: ReadonlyMap<string, Node | undefined>,
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const wanted = all.flatMap(({ nodeId, needsStore }) => (needsStore ? (nodes.get(nodeId) ?? []) : []));
  // The store would be read again and again for nothing if the readers of the log did not reach it.
  const asked = wanted.filter(await followedSoFar(log, wanted, { waitMs: FOLLOW_MS, signal }));
  const stored = asked.length > 0 ? await history.newest(asked, MAX_OCCURRENCES, signal) : new Map();
  const isFollowed = await followedSoFar(log, asked, { waitMs: FOLLOW_MS, signal });
  const isBehind = ({ nodeId, needsStore }: Judgement) => {
    const node = nodes.get(nodeId);
    return needsStore && node !== undefined && !(asked.includes(node) && isFollowed(node));
  };
  const ready = all.filter((judgement) => !isBehind(judgement));
  const tables = new Map<string, QualityTable>();
  const graded = ready.flatMap((judgement) => (saysQuality(judgement) ? (nodes.get(judgement.nodeId) ?? []) : []));
  for (const ownerId of new Set(graded.filter((node) => isAlarmOn(node, 'qualityAlarm')).map((node) => node.ownerId)))
    tables.set(ownerId, await quality.load(ownerId));
  return store.transaction((tx) => judge(tx, ready, { stored, tables, nowMs: now() }));
}

/** The others are about states alone: nothing has happened to the records. */
const saysQuality = ({ afterSequence }: Judgement): boolean => afterSequence > 0;

type LookedUp = {
  readonly stored: ReadonlyMap<string, readonly KeptRecord[]>;
  readonly tables: ReadonlyMap<string, QualityTable>;
  readonly nowMs: number;
};

async function judge(
  tx: AlarmTransaction,
  ready: readonly Judgement[],
  { stored, tables, nowMs }: LookedUp,
): Promise<ReadonlySet<string>> {
  const nodeIds = ready.map(({ nodeId }) => nodeId).sort();
  const nodes = await tx.nodes(nodeIds);
  const series = await tx.series(nodeIds);
  // Entries that wait for historic come before.
  const taken = await tx.takeJudgements(ready.filter(({ nodeId }) => !series.get(nodeId)?.isWaiting));
  const changes = new AlarmChanges(await tx.alarms(nodeIds, JUDGED_TYPES));
  const followed: SeriesChange[] = [];
  const pace = new Pace();
  for (const judgement of ready) {
    if (pace.isOver) await pace.next();
    const { nodeId, needsStore, isCheck, timeMs, username } = judgement;
    const found = nodes.get(nodeId);
    if (!found || !taken.has(nodeId)) continue;
    const before = series.get(nodeId);
    const after = seriesNow(found.node, before, needsStore ? (stored.get(nodeId) ?? []) : undefined);
    if (!after || (isCheck && before && hasSameRecords(before.history, after.history))) continue;
    // A change that nobody has asked for comes from an update: states that earlier releases showed instead of the reported one are corrected too.
    const announce = after.stateId !== before?.stateId || (timeMs === null && after.stateId !== null);
    if (after !== before || announce) followed.push({ node: found.node, series: after, announce });
    const judged = { ...found, before, rulesBefore: found.node.rules, after, timeMs: timeMs ?? nowMs, username };
    judgeState(changes, judged);
    const table = tables.get(found.node.ownerId);
    if (saysQuality(judgement) && table) judgeQuality(changes, judged, table);
  }
  await tx.save({ series: followed, ...changes.changes });
  return taken;
}

/** Returns the same object where nothing is other than it is kept. */
function seriesNow(
  node: Node,
  before: Series | undefined,
  stored: readonly KeptRecord[] | undefined,
): Series | undefined {
  const { rules } = node;
  if (seriesKind(node) !== 'evaluated') return before;
  if (stored) {
    const history = withStored(before?.history ?? UNKNOWN_HISTORY, stored, MAX_OCCURRENCES);
    if (history.records.length === 0 && !before) return undefined;
    return rules ? evaluatedAnew(rules, history, rules) : { stateId: before?.stateId ?? null, history };
  }
  if (!before || !rules) return before;
  // A release that judged no corrected record may have left a state that the current one is not in.
  const { to } = evaluateRecord(rules, before.stateId, before.history.records, matcher(rules));
  const stateId = to?.stateId ?? '';
  return before.history.records.length === 0 || stateId === before.stateId ? before : { ...before, stateId };
}
