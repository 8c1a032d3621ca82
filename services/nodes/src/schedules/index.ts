import { releaseFile } from '../files/index.ts';
import { takeEvents } from '../sending/index.ts';
import { startReportMails as mailsOf } from './bus/readers.ts';
import { askForRun, claimRun, closeMail, endRun, forgetRuns, giveBackRun, openMails } from './store/pg-runs.ts';
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

const runs = { claimRun, giveBackRun, endRun, openMails, closeMail, forgetRuns, askForRun, releaseFile, takeEvents };

export const startReportMails = mailsOf.bind(undefined, runs);
/** See `mailReport` of mail-report.ts. */
export const mailReport = mail.bind(undefined, runs);
/** See `makeDueReport` of make-report.ts. */
export const makeDueReport = make.bind(undefined, runs);
/** See `runReport` of report-runs.ts. */
export const runReport = run.bind(undefined, runs);
/** See `takeDueReports` of take-due-reports.ts. */
export const takeDueReports = take.bind(undefined, saveTicks);
