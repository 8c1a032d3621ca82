import { type Bus, decoded } from '@catchment/bus';
import { ReportDue } from '@catchment/contracts/nodes-messages';
import { type MailReportDeps, mailReport } from '../usecases/mail-report.ts';

/** Each holds its PDF in memory. */
const MAILS_AT_ONCE = 2;

/** Works off the queue of mails with reports, until stopped. */
export const startReportMails = (bus: Bus, deps: MailReportDeps): { stop(): Promise<void> } =>
  bus.readQueue(
    'nodes-reports',
    (message) => mailReport(deps, decoded(ReportDue, message), deps.now() - message.timeMs),
    MAILS_AT_ONCE,
  );
