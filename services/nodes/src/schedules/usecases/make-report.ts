import { ReportDue } from '@catchment/contracts/nodes-messages';
import { DomainError } from '@catchment/errors';
import { appendOutbox, type Queryable } from '@catchment/pg';
import type { Logger } from '@catchment/telemetry';
import { readOwner } from '../../changes/index.ts';
import type { StoredNode } from '../../domain/classes/node.ts';
import { dropFile, type FileDeps, type KeptFile, keepUntil, storeFile } from '../../files/index.ts';
import { nodesById } from '../../nodes/index.ts';
import { recipientsOf, withinHourlyLimit } from '../../sending/index.ts';
import { isTooLate } from '../domain/tick.ts';
import type { Run, Runs } from './ports.ts';
import { reportEvent } from './report-event.ts';
import { missedText } from './take-due-reports.ts';

export type ReportRenderer = {
  /** Makes the PDF of a report as of a moment, in chunks. @throws DomainError */
  render(
    report: { readonly ownerId: string; readonly nodeId: string; readonly timeMs: number },
    signal: AbortSignal,
  ): AsyncIterable<Uint8Array>;
  /** Longest time that it takes. */
  readonly maxMs: number;
};

export type MakeDeps = Pick<FileDeps, 'database' | 'objects' | 'now'> & {
  /** undefined = no render service is configured. */
  readonly renderer: ReportRenderer | undefined;
  readonly log: Pick<Logger, 'info' | 'warn'>;
};

const MINUTE_MS = 60_000;
/** This is the time for what comes before and after the rendering. */
const LEASE_MORE_MS = 90_000;
/** A report that ends its process each time is given up. */
const MAX_ATTEMPTS = 3;
/** A mail with a PDF of this size has 25 MB (packages/mail). */
export const MAX_PDF_BYTES = 18_000_000;
/** Mails are tried for 15 minutes; the rest is for a queue that stands still. */
export const KEPT_MS = 2 * 24 * 60 * MINUTE_MS;

/** The report cannot be made; the message is for people. */
class ReportFailure extends Error {}

/**
 * Makes one report that is due, if there is one, and asks for its mails (docs/reference/dashboards-and-reports.md#schedules). What is
 * asked for, the event and the end of the run are one transaction. A run whose process ends before that is begun again by another one; a
 * report that fails is not.
 * @returns whether there may be more to do
 */
export async function makeDueReport(runs: Runs, deps: MakeDeps, stopping: AbortSignal): Promise<boolean> {
  const leaseMs = (deps.renderer?.maxMs ?? 0) + LEASE_MORE_MS;
  const run = await runs.claimRun(deps.database, deps.now(), leaseMs);
  if (!run) return false;
  const node = await reportOf(deps, run);
  if (!node) return endWithout(runs, deps, run);
  if (isTooLate(run.dueMs, deps.now()))
    return endWithout(runs, deps, run, { node, level: 'WARNING', message: missedText(run.dueMs) });
  if (run.attempt > MAX_ATTEMPTS)
    return endWithout(runs, deps, run, failed(node, `${MAX_ATTEMPTS} attempts were interrupted`));
  const { ownerId, nodeId, dueMs } = run;
  try {
    const pdf = rendered(deps.renderer, { ownerId, nodeId, timeMs: dueMs }, stopping);
    const file = await storeFile(deps, node, pdf, MAX_PDF_BYTES);
    await queueMails(runs, deps, run, node, file);
  } catch (error) {
    if (stopping.aborted) {
      await runs.giveBackRun(deps.database, run);
      return false;
    }
    const failure = failureText(error);
    // The store or the database is away: the run is begun again when its lease is over.
    if (failure === undefined) throw error;
    deps.log.warn({ nodeId, dueMs, err: error }, 'scheduled report failed');
    return endWithout(runs, deps, run, failed(node, failure));
  }
  return true;
}

/** Returns the report, if it is still there and its account may have it made. */
async function reportOf({ database }: MakeDeps, { ownerId, nodeId }: Run): Promise<StoredNode | undefined> {
  const [node] = await nodesById(database, ownerId, [nodeId]);
  return node && (await readOwner(database, ownerId)).status === 'ACTIVE' ? node : undefined;
}

async function* rendered(
  renderer: ReportRenderer | undefined,
  ...[report, signal]: Parameters<ReportRenderer['render']>
): AsyncGenerator<Uint8Array> {
  if (!renderer) throw new ReportFailure('no render service is configured');
  let isEmpty = true;
  try {
    for await (const chunk of renderer.render(report, signal)) {
      isEmpty = false;
      yield chunk;
    }
  } catch (error) {
    throw error instanceof DomainError ? new ReportFailure(error.message, { cause: error }) : error;
  }
  if (isEmpty) throw new ReportFailure('the render service has answered nothing');
}

function failureText(error: unknown): string | undefined {
  if (error instanceof ReportFailure) return error.message;
  const isTooLarge = error instanceof DomainError && error.kind === 'too_large';
  return isTooLarge ? `its PDF has more than the ${MAX_PDF_BYTES / 1e6} MB that a mail can hold` : undefined;
}

async function queueMails(
  { endRun, openMails, releaseFile }: Runs,
  deps: MakeDeps,
  run: Run,
  node: StoredNode,
  file: KeptFile,
): Promise<void> {
  const { database, now, log } = deps;
  const mails = await database.transaction(async (tx) => {
    const nowMs = now();
    if (!(await endRun(tx, run, { fileId: file.fileId }))) return undefined;
    const recipients = await recipientsOf(tx, [{ nodeId: run.nodeId, categoryId: '', isReport: true }], nowMs);
    const wanted = recipients.map((to) => ({ channel: 'email' as const, to }));
    const sent = await withinHourlyLimit(tx, 'email', wanted, nowMs);
    await openMails(
      tx,
      run,
      sent.map(({ to }) => to),
    );
    await keepFile(tx, file, nowMs);
    if (sent.length === 0) await releaseFile(tx, file.fileId, nowMs);
    await appendOutbox(tx, [
      reportEvent(node, 'DEBUG', 'Generated report', nowMs),
      ...sent.map(({ to }) => mailDue(run, to.userId)),
    ]);
    return sent.length;
  });
  if (mails === undefined) await dropFile(deps, file);
  else log.info({ nodeId: run.nodeId, dueMs: run.dueMs, sizeBytes: file.sizeBytes, mails }, 'scheduled report made');
}

/** @throws Error when its bytes are gone already: the run is begun again when its lease is over */
async function keepFile(tx: Queryable, file: KeptFile, nowMs: number): Promise<void> {
  if (!(await keepUntil(tx, file, nowMs + KEPT_MS))) throw new Error('the PDF was swept away before it was kept');
}

const mailDue = ({ nodeId, ownerId, dueMs }: Run, userId: string) => ({
  subject: 'notifications.report.due.v1',
  data: ReportDue.encode({
    ownerId,
    nodeId,
    userId,
    timeMs: dueMs,
    deliveryId: `${nodeId}.${dueMs}.${userId}`,
  }).finish(),
});

type End = { readonly node: StoredNode; readonly level: 'WARNING' | 'ERROR'; readonly message: string };

const failed = (node: StoredNode, why: string): End => ({ node, level: 'ERROR', message: `Report not made: ${why}` });

/** Ends a run without a PDF, with an event that says why; a report that is gone has none. */
async function endWithout({ endRun }: Runs, { database, now }: MakeDeps, run: Run, end?: End): Promise<boolean> {
  await database.transaction(async (tx) => {
    const isEnded = await endRun(tx, run, { problem: end?.message ?? 'The report or its account is gone' });
    if (isEnded && end) await appendOutbox(tx, [reportEvent(end.node, end.level, end.message, now())]);
  });
  return true;
}
