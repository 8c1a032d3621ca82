import { invalid, notFound } from '@catchment/errors';
import { lockOwner } from '../../changes/index.ts';
import { nodeClass } from '../../domain/classes/class-table.ts';
import { announceUpdated, childrenOf, nodesById, type Updated } from '../../nodes/index.ts';
import { type TemplateDeps, templateOf } from '../../templates/index.ts';
import type { Activity } from './ports.ts';

const MAX_SERIES = 1_000;

/**
 * Parameters of a source become active or inactive by their series (docs/reference/sources.md#data-loggers); all others stay as they are.
 * @throws DomainError not_found also for what is no data source, and in templates
 */
export async function activateParameters(
  { saveActive }: Activity,
  deps: TemplateDeps,
  ownerId: string,
  sourceId: string,
  { activeSeries, inactiveSeries }: { activeSeries: readonly string[]; inactiveSeries: readonly string[] },
): Promise<void> {
  if (Math.max(activeSeries.length, inactiveSeries.length) > MAX_SERIES)
    throw invalid('INVALID_COLUMN', `series: must be at most ${MAX_SERIES}`);
  const wanted = new Map([
    ...activeSeries.map((series) => [series, true] as const),
    ...inactiveSeries.map((series) => [series, false] as const),
  ]);
  await deps.database.transaction(async (tx) => {
    await lockOwner(tx, ownerId);
    const [source] = await nodesById(tx, ownerId, [sourceId]);
    if (!source || nodeClass(source.class).kind !== 'source' || (await templateOf(tx, source))) throw notFound();
    const updated = (await childrenOf(tx, ownerId, sourceId)).flatMap((before): Updated[] => {
      const isActive = before.seriesKey === null ? undefined : wanted.get(before.seriesKey);
      return isActive === undefined || isActive === before.isActive
        ? []
        : [{ before, after: { ...before, isActive }, changed: ['isActive'] }];
    });
    await saveActive(
      tx,
      updated.map(({ after }) => after),
    );
    const cause = { timeMs: deps.now(), username: 'System' };
    await announceUpdated({ tx, deps, cause }, updated);
  });
}
