import { type MailSettings, MailWorker, smtpSender } from '@catchment/mail';
import type { Logger } from '@catchment/telemetry';
import { deleteEnded } from './people/store/pg-sessions.ts';
import type { SignInDeps } from './people/usecases/deps.ts';
import { writeMail } from './people/usecases/write-mail.ts';
import { repeat } from './repeat.ts';

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
