import { type ApiCaller, checkModify, checkPermission, scopeOf } from '@catchment/access';
import { DomainError } from '@catchment/errors';
import { formatIsoMs } from '@catchment/time';
import type { JsonObject } from '../../domain/body/rule.ts';
import { nodeClass } from '../../domain/classes/class-table.ts';
import type { NodeDeps } from '../../nodes/index.ts';
import { recipientsOf } from '../../sending/index.ts';
import { templateOf } from '../../templates/index.ts';
import { getNode, type SharedViews, type ViewedNode } from '../../views/index.ts';
import { askedRuns, lockRuns, runsOf, type SeenRun } from '../store/runs-query.ts';
import type { Runs } from './ports.ts';

/** A list has this many runs. */
const RUNS_MAX = 50;
/** Runs of a report that people may ask for within an hour (docs/reference/dashboards-and-reports.md#runs). */
const MOST_IN_HOUR = 20;
const HOUR_MS = 3_600_000;

/** Calls at the same time share what is known of the nodes above. */
export type RunDeps = NodeDeps & { readonly shared: SharedViews };

/**
 * `GET /nodes/:id/report/runs` (docs/reference/dashboards-and-reports.md#runs) lists what has become of the latest runs, newest first, and
 * who would get the report now.
 * @throws DomainError not_found, permission_denied, failed_precondition (no Report)
 */
export async function listRuns(deps: RunDeps, caller: ApiCaller, nodeRef: string): Promise<JsonObject> {
  const { nodeId, workspaceId } = await reportOf(deps, caller, nodeRef);
  checkPermission(caller, workspaceId, 'CONFIGURE');
  const { database, now } = deps;
  const runs = await runsOf(database, nodeId, RUNS_MAX);
  const recipients = await recipientsOf(database, [{ nodeId, categoryId: '', isReport: true }], now());
  return { runs: runs.map(runView), recipients: recipients.map(({ email }) => email).sort() };
}

/**
 * `POST /nodes/:id/report/runs`: has the report made at once, as of now, and sent to its subscribers; the schedule is not changed by it.
 * @returns its time, by which it stands among the runs
 * @throws DomainError not_found, permission_denied, failed_precondition (no Report, in a template, one is not over), resource_exhausted
 */
export async function runReport(
  { askForRun }: Pick<Runs, 'askForRun'>,
  deps: RunDeps,
  caller: ApiCaller,
  nodeRef: string,
): Promise<JsonObject> {
  checkModify(caller);
  const { nodeId, ownerId, workspaceId } = await reportOf(deps, caller, nodeRef);
  checkPermission(caller, workspaceId, 'CONFIGURE');
  if ((await templateOf(deps.database, { nodeId, workspaceId, ownerId })) !== undefined)
    throw new DomainError(
      'failed_precondition',
      'REPORT_IN_TEMPLATE',
      'Reports of templates are not made: their instances are',
    );
  const { username: askedBy } = caller;
  const dueMs = await deps.database.transaction(async (tx) => {
    const nowMs = deps.now();
    await lockRuns(tx, nodeId);
    const asked = await askedRuns(tx, nodeId, nowMs - HOUR_MS);
    if (asked.isOpen)
      throw new DomainError('failed_precondition', 'REPORT_IS_MADE', 'The report is being made: wait for its end');
    if (asked.count >= MOST_IN_HOUR)
      throw new DomainError(
        'resource_exhausted',
        'TOO_MANY_RUNS',
        `The report was asked for ${MOST_IN_HOUR} times within an hour, which is the most`,
      );
    await askForRun(tx, { nodeId, ownerId, dueMs: nowMs, askedBy });
    return nowMs;
  });
  return { time: formatIsoMs(dueMs) };
}

async function reportOf(deps: RunDeps, caller: ApiCaller, nodeRef: string): Promise<ViewedNode> {
  const node = await getNode(deps, scopeOf(caller), nodeRef);
  if (nodeClass(node.class).kind !== 'report') throw noReport(node.class);
  return node;
}

export const noReport = (className: string): DomainError =>
  new DomainError('failed_precondition', 'NO_REPORT', `${className}: reports are made of Report nodes only`);

const runView = ({ dueMs, askedBy, isBegun, isOver, problem, mails }: SeenRun): JsonObject => ({
  time: formatIsoMs(dueMs),
  askedBy,
  state: isOver ? (problem === null ? 'MADE' : 'FAILED') : isBegun ? 'MAKING' : 'WAITING',
  problem,
  mails: mails.map((mail) => ({
    email: mail.email,
    state: mail.isOver ? (mail.problem === null ? 'SENT' : 'NOT_SENT') : 'WAITING',
    problem: mail.problem,
  })),
});
