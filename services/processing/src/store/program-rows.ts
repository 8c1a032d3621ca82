import type { ComputedKind } from '../domain/program.ts';
import type { Phase, StoredProgram } from '../usecases/ports.ts';

export type ProgramRow = {
  node_id: string;
  owner_id: string;
  workspace_id: string;
  source_id: string;
  class: string;
  name: string;
  kind: ComputedKind;
  digest: string;
  interval_ms: number | null;
  interval_offset_ms: number;
  checked_digest: string | null;
  basis: string | null;
  plan_version: string | null;
  phase: Phase | null;
  settle_sequence: number | null;
  told_from_ms: number | null;
  news_from_ms: number | null;
  since_ms: number | null;
  done_records: number;
  told_ms: number;
  position_ms: number | null;
  tick_ms: number | null;
  acquire_ms: number | null;
  outputs: StoredProgram['outputs'];
  outputs_ms: number;
  failures: number;
  failure: string;
  suspended_until_ms: number | null;
};

const MS = (column: string) => `extract(epoch FROM p.${column})::float8 * 1000`;
/** Columns of a row `p`. */
export const PROGRAM_COLUMNS = `p.node_id, p.owner_id, p.workspace_id, p.source_id, p.class, p.name, p.kind, p.digest, p.interval_ms,
  p.interval_offset_ms, p.checked_digest, p.basis, p.plan_version, p.phase, p.settle_sequence, p.told_from_ms, p.news_from_ms, p.since_ms, p.done_records,
  ${MS('told_time')} AS told_ms, p.position_ms, p.tick_ms, p.acquire_ms, p.outputs, ${MS('outputs_time')} AS outputs_ms, p.failures,
  p.failure, ${MS('suspended_until')} AS suspended_until_ms`;

export const toProgram = (row: ProgramRow): StoredProgram => ({
  nodeId: row.node_id,
  ownerId: row.owner_id,
  workspaceId: row.workspace_id,
  sourceId: row.source_id,
  class: row.class,
  name: row.name,
  kind: row.kind,
  digest: row.digest,
  ...(row.checked_digest !== null && { checkedDigest: row.checked_digest }),
  ...(row.basis !== null && { basis: row.basis }),
  ...(row.interval_ms !== null && { schedule: { intervalMs: row.interval_ms, offsetMs: row.interval_offset_ms } }),
  ...(row.plan_version !== null && { planVersion: row.plan_version }),
  ...(row.phase !== null && { phase: row.phase }),
  ...(row.settle_sequence !== null && { settleSequence: row.settle_sequence }),
  ...(row.told_from_ms !== null && { toldFromMs: row.told_from_ms }),
  ...(row.news_from_ms !== null && { newsFromMs: row.news_from_ms }),
  ...(row.since_ms !== null && { sinceMs: row.since_ms }),
  doneRecords: row.done_records,
  announcedMs: row.told_ms,
  ...(row.position_ms !== null && { positionMs: row.position_ms }),
  ...(row.tick_ms !== null && { tickMs: row.tick_ms }),
  ...(row.acquire_ms !== null && { acquireMs: row.acquire_ms }),
  outputs: row.outputs,
  failures: row.failures,
  failure: row.failure,
  ...(row.suspended_until_ms !== null && { suspendedUntilMs: row.suspended_until_ms }),
});
