import type { BuiltColumn } from '../domain/column-builder.ts';
import type { SeriesNode } from '../domain/series-node.ts';
import { admitWrites, type SourceWrite, sourceOf } from './admit-writes.ts';
import { acquisitionEntry, columnEntry, type WriteFacts } from './log-entries.ts';
import type { WriteCall, WriteDeps } from './write-deps.ts';

type Written = { readonly built: BuiltColumn; readonly rows: number; readonly origin: string };
type Cause = { readonly facts: WriteFacts; readonly call: WriteCall };

/** Records of one parameter or Location. @returns rows appended */
export async function writeParameter(
  deps: WriteDeps,
  node: SeriesNode,
  { built, rows, origin }: Written,
  { facts, call }: Cause,
): Promise<number> {
  const toEntries: SourceWrite['toEntries'] = ([kept], did) => [
    ...(kept && kept.timestamps.length > 0 ? [columnEntry(node, kept, facts)] : []),
    acquisitionEntry(node, { isSource: false, parameters: 1, origin, ...did }, facts),
  ];
  const { sourceId, ownerId } = node;
  const source = await sourceOf(deps, node);
  return admitWrites(deps, [{ sourceId, ownerId, source, columns: [built], rows, toEntries }], facts, call);
}
