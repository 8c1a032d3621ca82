import { type ApiCaller, scopeOf } from '@catchment/access';
import { effectiveZone, formatIsoMs } from '@catchment/time';
import type { JsonObject } from '../../domain/body/rule.ts';
import { nodeClass } from '../../domain/classes/class-table.ts';
import { attributeOf } from '../../domain/classes/node.ts';
import type { ReportSchedule } from '../../domain/classes/report-attributes.ts';
import { draftNode } from '../../tree/index.ts';
import { getNode } from '../../views/index.ts';
import { nextDueMs } from '../domain/due-time.ts';
import { lastDueOf } from '../store/schedules-query.ts';
import { noReport, type RunDeps } from './report-runs.ts';

/** A list has this many due times. */
const TIMES_MAX = 5;

/**
 * `POST /nodes/:id/report/schedule/preview` (docs/reference/dashboards-and-reports.md#next-times) answers when a report would be due next
 * with attributes that are not saved.
 * @throws DomainError not_found, permission_denied, failed_precondition (no Report), invalid_argument naming the attribute
 */
export async function nextTimes(
  deps: RunDeps,
  caller: ApiCaller,
  nodeRef: string,
  draft: Uint8Array,
): Promise<JsonObject> {
  const saved = await getNode(deps, scopeOf(caller), nodeRef);
  const cls = nodeClass(saved.class);
  if (cls.kind !== 'report') throw noReport(saved.class);
  const { config } = await draftNode(deps, caller, saved, draft);
  const nowMs = deps.now();
  const schedule = attributeOf(cls, config, 'schedule') as ReportSchedule | null;
  const zone = effectiveZone(
    attributeOf(cls, config, 'timezone') as string,
    attributeOf(cls, config, 'timezoneAdjustForDst') as boolean,
    nowMs,
  );
  const times: string[] = [];
  if (schedule?.enabled) {
    let lastMs = await lastDueOf(deps.database, saved.nodeId);
    let afterMs = nowMs;
    while (times.length < TIMES_MAX) {
      const dueMs = nextDueMs(schedule, zone, afterMs, lastMs);
      if (dueMs === undefined) break;
      times.push(formatIsoMs(dueMs));
      lastMs = dueMs;
      afterMs = dueMs;
    }
  }
  return { times };
}
