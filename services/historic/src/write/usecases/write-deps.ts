import { type Caller, checkModify, scopeOf, usernameOf } from '@catchment/access';
import { WriteMode } from '@catchment/contracts/ingest';
import { partitionOf } from '@catchment/ids';
import type { Column, LogEntry } from '@catchment/ingest-log';
import type { Requester } from '@catchment/node-replica';
import { currentTraceparent } from '@catchment/telemetry';
import type { DailyLimits } from '../../limits/index.ts';
import type { Append } from '../../log/index.ts';
import type { RecordReader } from '../../records/index.ts';
import type { Catalogue, QualityOf } from '../../series/index.ts';

/** One partition of the log has this part of a write. */
export type WrittenPart = { readonly sourceId: string; readonly sequence: number; readonly nodeIds: readonly string[] };

export type WriteDeps = {
  readonly catalogue: Pick<
    Catalogue,
    | 'resolve'
    | 'resolveAll'
    | 'checkVisible'
    | 'parametersOf'
    | 'refreshParameters'
    | 'findKnown'
    | 'nodesOf'
    | 'ensure'
  >;
  readonly append: Append;
  readonly limits: Pick<DailyLimits, 'within' | 'forget'>;
  /** Reads what was stored, for writes that say what they expect there. */
  readonly reader: Pick<RecordReader, 'scan'>;
  readonly qualityOf: QualityOf;
  readonly partitions: number;
  readonly now: () => number;
};

/** The call behind a write. */
export type WriteCall = {
  readonly caller: Caller;
  readonly token: string;
  readonly deadlineMs: number;
  /** Gets where the log has the write. */
  readonly wrote?: (part: WrittenPart) => void;
};

/** A caller without a deadline waits at most this long for the log's acknowledgement. */
const APPEND_LIMIT_MS = 10_000;

/** @throws DomainError permission_denied for a READ_ONLY key; invalid_argument for a service that names no account */
export function writer(call: WriteCall, ownerId = ''): Requester {
  checkModify(call.caller);
  return { scope: scopeOf(call.caller, ownerId), isService: call.caller.kind === 'service', token: call.token };
}

export async function appendTo(deps: WriteDeps, sourceId: string, entries: readonly LogEntry[], call: WriteCall) {
  const deadlineMs = Math.min(call.deadlineMs, deps.now() + APPEND_LIMIT_MS);
  const sequence = await deps.append(
    partitionOf(sourceId, deps.partitions),
    entries,
    deadlineMs,
    writeIdOf(entries, call),
  );
  call.wrote?.({ sourceId, sequence, nodeIds: seriesOf(entries) });
}

/** Gives an id only to a write that would have another effect the second time: a write alone in its message costs more. */
function writeIdOf(entries: readonly LogEntry[], { caller }: WriteCall): string | undefined {
  const keyed = caller.kind === 'api' ? caller.keyed : undefined;
  return keyed && entries.some((entry) => entry.kind === 'column' && mayFail(entry.column)) ? keyed.id : undefined;
}

const FAILING: ReadonlySet<WriteMode> = new Set([
  WriteMode.WRITE_MODE_MERGE_FAIL_ON_EXISTING,
  WriteMode.WRITE_MODE_INSERT_FAIL_ON_EXISTING,
]);

/** A write that depends on what was there finds the records of its first time the second time. */
const mayFail = ({ writeMode, expected }: Column): boolean => expected !== undefined || FAILING.has(writeMode);

const seriesOf = (entries: readonly LogEntry[]): string[] => [
  ...new Set(
    entries.flatMap((entry) => {
      if (entry.kind === 'column') return [entry.column.nodeId];
      return entry.kind === 'seriesDelete' ? [entry.seriesDelete.nodeId] : [];
    }),
  ),
];

export const factsOf = (deps: WriteDeps, call: WriteCall) => ({
  modifiedMs: deps.now(),
  username: usernameOf(call.caller),
  traceparent: currentTraceparent() ?? '',
  isOfCaller: call.caller.kind === 'api',
  isImport: false,
});
