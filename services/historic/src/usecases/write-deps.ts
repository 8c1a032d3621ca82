import { type Caller, checkModify, scopeOf, usernameOf } from '@catchment/access';
import { partitionOf } from '@catchment/ids';
import type { LogEntry } from '@catchment/ingest-log';
import type { Requester } from '@catchment/node-replica';
import { currentTraceparent } from '@catchment/telemetry';
import type { DailyLimits } from './daily-limits.ts';
import type { Catalogue } from './ports.ts';

/** Appends to the ingest log; resolves when it is acknowledged. */
export type Append = (partition: number, entries: readonly LogEntry[], deadlineMs: number) => Promise<void>;

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
  readonly partitions: number;
  readonly now: () => number;
};

/** The call behind a write. */
export type WriteCall = { readonly caller: Caller; readonly token: string; readonly deadlineMs: number };

/** Longest wait for the log's acknowledgement when the caller names no deadline. */
const APPEND_LIMIT_MS = 10_000;

/** @throws DomainError permission_denied for a READ_ONLY key; invalid_argument for a service that names no account */
export function writer(call: WriteCall, ownerId = ''): Requester {
  checkModify(call.caller);
  return { scope: scopeOf(call.caller, ownerId), isService: call.caller.kind === 'service', token: call.token };
}

export const appendTo = (deps: WriteDeps, sourceId: string, entries: readonly LogEntry[], call: WriteCall) =>
  deps.append(partitionOf(sourceId, deps.partitions), entries, Math.min(call.deadlineMs, deps.now() + APPEND_LIMIT_MS));

export const factsOf = (deps: WriteDeps, call: WriteCall) => ({
  modifiedMs: deps.now(),
  username: usernameOf(call.caller),
  traceparent: currentTraceparent() ?? '',
  isOfCaller: call.caller.kind === 'api',
  isImport: false,
});
