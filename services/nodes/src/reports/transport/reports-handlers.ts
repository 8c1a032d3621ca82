import { apiCaller, serviceCaller } from '@catchment/access';
import type { ReportsServiceService } from '@catchment/contracts/nodes';
import type { Handlers } from '@catchment/grpc';
import { listRuns, nextTimes, runReport } from '../../schedules/index.ts';
import { document, done } from '../../transport/answers.ts';
import { SharedViews } from '../../views/index.ts';
import { loadReport, type ReportDeps } from '../usecases/load-report.ts';
import { warnOfReport } from '../usecases/warn-of-report.ts';

/** ReportsService answers what reports show of nodes. */
export function reportsHandlers(deps: Omit<ReportDeps, 'shared'>): Handlers<typeof ReportsServiceService> {
  const reportDeps = { ...deps, shared: new SharedViews(deps.database) };
  return {
    loadReport: (request, { caller, signal }) => loadReport(reportDeps, request, { caller: apiCaller(caller), signal }),
    warnOfReport: (request, { caller }) => {
      serviceCaller(caller, 'render');
      return done(warnOfReport(deps, request));
    },
    listReportRuns: ({ nodeRef }, { caller }) => document(listRuns(reportDeps, apiCaller(caller), nodeRef)),
    runReport: ({ nodeRef }, { caller }) => document(runReport(reportDeps, apiCaller(caller), nodeRef)),
    previewSchedule: ({ nodeRef, draft }, { caller }) =>
      document(nextTimes(reportDeps, apiCaller(caller), nodeRef, draft)),
  };
}
