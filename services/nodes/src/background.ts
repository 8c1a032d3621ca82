import { type DueMail, type MailContent, type MailSender, MailWorker } from '@catchment/mail';
import { repeat } from '@catchment/service';
import type { Logger } from '@catchment/telemetry';
import { expireAccess } from './access/index.ts';
import { type AccountsDeps, expireTrials } from './accounts/index.ts';
import { sweepGone } from './feed/index.ts';
import { type FileDeps, removeOldAttachments, sweepFiles } from './files/index.ts';
import { announceDue } from './nodes/index.ts';
import { deleteEnded, type PeopleDeps, type SignInDeps, writeMail } from './people/index.ts';
import { forgetRequests } from './requests/index.ts';
import { forgetRuns, type MakeDeps, makeDueReport, takeDueReports } from './schedules/index.ts';
import { forgetSent, limitMail } from './sending/index.ts';
import { refreshStale } from './shown/index.ts';
import { propagateDue } from './templates/index.ts';
import { closeEndedWindows, type ReadEdges, showAwaited } from './values/index.ts';

const SECOND_MS = 1_000;
/**
 * See docs/reference/node-tree.md#attributes-of-classes, docs/reference/people-and-security.md#granting-and-revoking-access,
 * docs/reference/accounts-and-usage.md#account.
 */
const MINUTE_MS = 60_000;

/** A process has this many scheduled reports made at a time: the render service makes a few at a time. */
const REPORTS_AT_ONCE = 2;

type BackgroundDeps = AccountsDeps & FileDeps & SignInDeps & MakeDeps & { readonly readEdges: ReadEdges };

/** Starts everything that runs beside calls and messages, on any replica: what one has done another does not find. */
export function startBackground(
  deps: BackgroundDeps,
  sender: MailSender | undefined,
  log: Logger,
): { stop(): Promise<void> } {
  const { database, now, sessionIdleMs } = deps;
  const every = (everyMs: number, failed: string, task: (stopping: AbortSignal) => Promise<unknown>) =>
    repeat(task, { everyMs, failed, log });
  const tasks = [
    new MailWorker({ database, sender, write: (due) => mailOf(deps, due), log, now }).start(),
    every(SECOND_MS, 'acquisition windows could not be closed', () => closeEndedWindows(deps)),
    every(SECOND_MS, 'values that wait for their store could not be shown', (stopping) => showAwaited(deps, stopping)),
    every(SECOND_MS, 'stale shown values could not be computed', () => refreshStale(deps)),
    every(SECOND_MS, 'nodes could not be announced', () => announceDue(deps)),
    every(SECOND_MS, 'instances could not follow their templates', () => propagateDue(deps)),
    every(SECOND_MS, 'due reports could not be taken', () => takeDueReports(deps)),
    ...Array.from({ length: REPORTS_AT_ONCE }, () =>
      every(SECOND_MS, 'a scheduled report could not be made', (stopping) => makeDueReport(deps, stopping)),
    ),
    every(10 * SECOND_MS, 'files could not be removed', () => sweepFiles(deps)),
    every(MINUTE_MS, 'old attachments could not be removed', () => removeOldAttachments(deps)),
    every(MINUTE_MS, 'access that has ended could not be removed', () => expireAccess(deps)),
    every(MINUTE_MS, 'trials that have ended could not be dealt with', () => expireTrials(deps)),
    every(10 * MINUTE_MS, 'nodes that are long gone could not be forgotten', () => sweepGone(deps)),
    every(10 * MINUTE_MS, 'sent notifications could not be forgotten', () => forgetSent(database, now())),
    every(10 * MINUTE_MS, 'runs of reports could not be forgotten', () => forgetRuns(database, now())),
    every(MINUTE_MS, 'old answers of requests with keys could not be forgotten', () => forgetRequests(deps)),
    every(10 * MINUTE_MS, 'ended sessions could not be forgotten', () => deleteEnded(database, now(), sessionIdleMs)),
  ];
  return { stop: async () => void (await Promise.all(tasks.map((task) => task.stop()))) };
}

/** Returns the text of a queued mail, whichever room has asked for it; undefined when it is needed no more. */
export const mailOf = async (deps: PeopleDeps, due: DueMail): Promise<MailContent | undefined> =>
  limitMail(due) ?? writeMail(deps, due);
