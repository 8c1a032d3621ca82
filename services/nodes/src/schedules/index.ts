export { startReportMails } from './bus/readers.ts';
export { reportRenderer } from './clients/render-client.ts';
export { forgetRuns } from './store/pg-runs.ts';
export { type MakeDeps, makeDueReport } from './usecases/make-report.ts';
export { nextTimes } from './usecases/next-times.ts';
export { listRuns, noReport, runReport } from './usecases/report-runs.ts';
export { takeDueReports } from './usecases/take-due-reports.ts';
