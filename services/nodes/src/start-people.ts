import { type MailSettings, MailWorker, smtpSender } from '@catchment/mail';
import { repeat } from '@catchment/service';
import type { Logger } from '@catchment/telemetry';
import { deleteEnded } from './store/pg-sessions.ts';
import type { SignInDeps } from './usecases/people/sign-in.ts';
import { writeMail } from './usecases/people/write-mail.ts';

const FORGET_EVERY_MS = 10 * 60_000;

/** What runs for people besides their calls: mails are sent, ended sessions and links forgotten. */
export function startPeople(deps: SignInDeps, mail: MailSettings | undefined, log: Logger): { stop(): Promise<void> } {
  const { database, now, sessionIdleMs } = deps;
  const sender = mail && smtpSender(mail);
  const worker = new MailWorker({ database, sender, write: (due) => writeMail(deps, due), log, now }).start();
  const forget = repeat(
    'ended sessions could not be forgotten',
    FORGET_EVERY_MS,
    () => deleteEnded(database, now(), sessionIdleMs),
    log,
  );
  return { stop: async () => void (await Promise.all([worker.stop(), forget.stop()])) };
}
