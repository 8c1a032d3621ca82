import { AlarmChanges } from '../domain/alarm-changes.ts';
import { alarmTypesOn } from '../domain/alarm-types.ts';
import { isWatched, look, type OutdatedNews, RETRY_MS } from '../domain/outdated-check.ts';
import type { AlarmStore, AlarmTransaction, DataTimes } from './ports.ts';

type OutdatedDeps = {
  readonly store: Pick<AlarmStore, 'takeDueChecks'>;
  readonly dataTimes: DataTimes;
  /** Returns whether what was accepted waits for its store: nothing says then what is outdated. */
  readonly isStoreBehind: () => Promise<boolean>;
  readonly now: () => number;
};

/** One look takes this many sources. */
const AT_ONCE = 1_000;

/**
 * Looks at the sources that are due, on one replica at a time: outdatedAlarms, and the events about them
 * (docs/reference/alarms.md#outdated-data).
 * @throws DomainError unavailable while nodes is away
 */
export async function lookForOutdated(deps: OutdatedDeps, signal: AbortSignal): Promise<void> {
  const nowMs = deps.now();
  while ((await lookAtSome(deps, nowMs, signal)) === AT_ONCE) signal.throwIfAborted();
}

const lookAtSome = (
  { store, dataTimes, isStoreBehind }: OutdatedDeps,
  nowMs: number,
  signal: AbortSignal,
): Promise<number> =>
  store.takeDueChecks(nowMs, AT_ONCE, async (tx, due) => {
    const sourceIds = due.map(({ nodeId }) => nodeId);
    const times = await dataTimes.of(sourceIds, signal);
    const looks = due.map((check) => ({ before: check, ...look(check, times.get(check.nodeId), nowMs) }));
    const isDoubtful = looks.some(({ news }) => news?.isOutdated) && (await isStoreBehind());
    const results = looks.map((look) =>
      isDoubtful && look.news?.isOutdated
        ? { check: { ...look.before, dueMs: nowMs + RETRY_MS }, news: undefined }
        : look,
    );
    await report(tx, new Map(results.flatMap(({ check, news }) => (news ? [[check.nodeId, news]] : []))), nowMs);
    await tx.saveChecks(
      due,
      results.map(({ check }) => check),
    );
  });

async function report(tx: AlarmTransaction, news: ReadonlyMap<string, OutdatedNews>, timeMs: number): Promise<void> {
  if (news.size === 0) return;
  const sourceIds = [...news.keys()].sort();
  const nodes = await tx.nodes(sourceIds);
  const changes = new AlarmChanges(await tx.alarms(sourceIds, alarmTypesOn('looked')));
  for (const { node } of nodes.values()) {
    const found = news.get(node.nodeId);
    if (found && isWatched(node)) changes.take(node, { kind: 'looked', timeMs, ...found });
  }
  await tx.save(changes.changes);
}
