import { type Bus, decoded } from '@catchment/bus';
import { ReportDue } from '@catchment/contracts/nodes-messages';
import { type MailReportDeps, mailReport } from '../usecases/mail-report.ts';
import type { Runs } from '../usecases/ports.ts';

/** Each holds its PDF in memory. */
const MAILS_AT_ONCE = 2;

/** Works off the queue of mails with reports, until stopped. */
export const startReportMails = (runs: Runs, bus: Bus, deps: MailReportDeps): { stop(): Promise<void> } =>
  bus.readQueue(
    'nodes-reports',
    (message) => mailReport(runs, deps, decoded(ReportDue, message), deps.now() - message.timeMs),
    MAILS_AT_ONCE,
  );
