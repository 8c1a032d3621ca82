import type { BuiltColumn } from '../domain/column-builder.ts';
import { checkExpected, sumOf } from '../domain/expected-records.ts';
import type { SeriesNode } from '../domain/series-node.ts';
import { admitWrites, type SourceWrite, sourceOf } from './admit-writes.ts';
import { acquisitionEntry, columnEntry, type WriteFacts } from './log-entries.ts';
import { keyOf } from './read-column.ts';
import { storedAt } from './stored-at.ts';
import type { WriteCall, WriteDeps } from './write-deps.ts';

type Written = {
  readonly built: BuiltColumn;
  readonly rows: number;
  readonly origin: string;
  /** What the writer has read at these times; undefined: whatever is there. */
  readonly was?: BuiltColumn | undefined;
};
type Cause = { readonly facts: WriteFacts; readonly call: WriteCall };

/**
 * Records of one parameter or Location.
 * @returns rows appended
 * @throws DomainError changed when the store has another thing than the writer has read
 */
export async function writeParameter(
  deps: WriteDeps,
  node: SeriesNode,
  { built, rows, origin, was }: Written,
  { facts, call }: Cause,
): Promise<number> {
  const stored = was && (await storedAt(deps.reader, keyOf(node), built.timestamps, signalOf(call, deps.now)));
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

/** Longest look at what is there: a write that asks for more holds up nobody else. */
const LOOK_LIMIT_MS = 10_000;

const signalOf = ({ deadlineMs }: WriteCall, now: () => number): AbortSignal =>
  AbortSignal.timeout(Math.max(0, Math.min(LOOK_LIMIT_MS, deadlineMs - now())));
