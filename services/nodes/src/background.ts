import { type MailSettings, MailWorker, smtpSender } from '@catchment/mail';
import { repeat } from '@catchment/service';
import type { Logger } from '@catchment/telemetry';
import { expireAccess } from './access/index.ts';
import { type AccountsDeps, expireTrials } from './accounts/index.ts';
import { type FileDeps, removeOldAttachments, sweepFiles } from './files/index.ts';
import { deleteEnded, type SignInDeps, writeMail } from './people/index.ts';
import { refreshStale } from './shown/index.ts';
import { propagateDue } from './templates/index.ts';
import { closeEndedWindows } from './values/index.ts';

const SECOND_MS = 1_000;
/**
 * See docs/reference/node-tree.md#attributes-of-classes, docs/reference/people-and-security.md#granting-and-revoking-access,
 * docs/reference/accounts-and-usage.md#account.
 */
const MINUTE_MS = 60_000;

type BackgroundDeps = AccountsDeps & FileDeps & SignInDeps;

/** Everything that runs beside calls and messages, on any replica: what one has done another does not find. */
export function startBackground(
  deps: BackgroundDeps,
  mail: MailSettings | undefined,
  log: Logger,
): { stop(): Promise<void> } {
  const { database, now, sessionIdleMs } = deps;
  const every = (everyMs: number, failed: string, task: () => Promise<unknown>) =>
    repeat(task, { everyMs, failed, log });
  const sender = mail && smtpSender(mail);
  const tasks = [
    new MailWorker({ database, sender, write: (due) => writeMail(deps, due), log, now }).start(),
    every(SECOND_MS, 'acquisition windows could not be closed', () => closeEndedWindows(deps)),
    every(SECOND_MS, 'stale shown values could not be computed', () => refreshStale(deps)),
    every(SECOND_MS, 'instances could not follow their templates', () => propagateDue(deps)),
    every(10 * SECOND_MS, 'files could not be removed', () => sweepFiles(deps)),
    every(MINUTE_MS, 'old attachments could not be removed', () => removeOldAttachments(deps)),
    every(MINUTE_MS, 'access that has ended could not be removed', () => expireAccess(deps)),
    every(MINUTE_MS, 'trials that have ended could not be dealt with', () => expireTrials(deps)),
    every(10 * MINUTE_MS, 'ended sessions could not be forgotten', () => deleteEnded(database, now(), sessionIdleMs)),
  ];
  return { stop: async () => void (await Promise.all(tasks.map((task) => task.stop()))) };
}
