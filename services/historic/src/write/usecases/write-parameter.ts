import { toDomainError, tooLarge } from '@catchment/errors';
import { type BuiltColumn, checkExpected, storedAt, sumOf, withinTime } from '../../records/index.ts';
import { keyOf, type SeriesNode } from '../../series/index.ts';
import { admitWrites, type SourceWrite, sourceOf } from './admit-writes.ts';
import { acquisitionEntry, columnEntry, type WriteFacts } from './log-entries.ts';
import type { WriteCall, WriteDeps } from './write-deps.ts';

type Written = {
  readonly built: BuiltColumn;
  readonly rows: number;
  readonly origin: string;
  /** The writer has read these fields at these times; undefined where it takes whatever is there. */
  readonly was?: BuiltColumn | undefined;
};
type Cause = { readonly facts: WriteFacts; readonly call: WriteCall };

/**
 * Writes records of one parameter or Location.
 * @returns rows appended
 * @throws DomainError changed when the store has another thing than the writer has read
 */
export async function writeParameter(
  deps: WriteDeps,
  node: SeriesNode,
  { built, rows, origin, was }: Written,
  { facts, call }: Cause,
): Promise<number> {
  const stored = was && (await lookAt(deps, node, built.timestamps));
  if (stored)
    checkExpected(built.timestamps, stored, { was, shown: { node, quality: await deps.qualityOf(node.ownerId) } });
  const toEntries: SourceWrite['toEntries'] = ([kept], did) => [
    ...(kept && kept.timestamps.length > 0
      ? [columnEntry(node, kept, facts, stored && sumOf(kept.timestamps, stored))]
      : []),
    acquisitionEntry(node, { isSource: false, parameters: 1, origin, ...did }, facts),
  ];
  const { sourceId, ownerId } = node;
  const source = await sourceOf(deps, node);
  return admitWrites(deps, [{ sourceId, ownerId, source, columns: [built], rows, toEntries }], facts, call);
}

/** A look at what is there takes at most this: the writer takes as long again, and holds up the writes behind it meanwhile. */
const LOOK_LIMIT_MS = 5_000;

/** @throws DomainError too_large where records are so far apart in the series that it takes too long */
async function lookAt({ reader }: WriteDeps, node: SeriesNode, timestamps: Float64Array) {
  const caller = new AbortController().signal;
  try {
    return await withinTime(LOOK_LIMIT_MS, caller, (signal) => storedAt(reader, keyOf(node), timestamps, signal));
  } catch (error) {
    if (toDomainError(error).kind !== 'too_large') throw error;
    throw tooLarge('was: takes too long to be compared; write fewer records, or those of a shorter time');
  }
}
