import { startReportMails as mailsOf } from './bus/readers.ts';
import * as runs from './store/pg-runs.ts';
import { saveTicks } from './store/pg-schedules.ts';
import { mailReport as mail } from './usecases/mail-report.ts';
import { makeDueReport as make } from './usecases/make-report.ts';
import { runReport as run } from './usecases/report-runs.ts';
import { takeDueReports as take } from './usecases/take-due-reports.ts';

export { reportRenderer } from './clients/render-client.ts';
export { forgetRuns } from './store/pg-runs.ts';
export type { MakeDeps } from './usecases/make-report.ts';
export { nextTimes } from './usecases/next-times.ts';
export { listRuns, noReport } from './usecases/report-runs.ts';

export const startReportMails = mailsOf.bind(undefined, runs);
/** `mailReport` of mail-report.ts on the tables of this room. */
export const mailReport = mail.bind(undefined, runs);
/** `makeDueReport` of make-report.ts on the tables of this room. */
export const makeDueReport = make.bind(undefined, runs);
/** `runReport` of report-runs.ts on the tables of this room. */
export const runReport = run.bind(undefined, runs);
/** `takeDueReports` of take-due-reports.ts on the tables of this room. */
export const takeDueReports = take.bind(undefined, saveTicks);
