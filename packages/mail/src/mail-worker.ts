import type { Queryable } from '@catchment/pg';
import { type Repeated, repeat } from '@catchment/service';
import type { Logger } from '@catchment/telemetry';
import { type DueMail, failMail, forgetFailed, removeMail, retryMail, takeDue } from './mail-queue.ts';
import { failureOf, type MailContent, MailRefused, type MailSender } from './smtp-sender.ts';

const POLL_MS = 1_000;
/** Mails in hand at once; with the sender's timeouts they are done well within the lease. */
const BATCH = 10;
const LEASE_MS = 10 * 60_000;
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** Waits after each failed attempt; after the last one the mail has failed. About two days in all. */
export const RETRY_AFTER_MS = [
  10 * SECOND,
  MINUTE,
  5 * MINUTE,
  20 * MINUTE,
  60 * MINUTE,
  4 * 60 * MINUTE,
  12 * 60 * MINUTE,
  24 * 60 * MINUTE,
] as const;
const FAILED_KEPT_MS = 30 * 24 * 60 * MINUTE;
const FORGET_EVERY_MS = 60 * MINUTE;

export type MailWorkerOptions = {
  readonly database: Queryable;
  /** undefined = no mail server is configured: mails are dropped, which is logged once. */
  readonly sender: MailSender | undefined;
  /** Writes the text of a mail; undefined = it is needed no more. */
  readonly write: (mail: DueMail) => Promise<MailContent | undefined>;
  readonly log: Logger;
  /** Unix ms. */
  readonly now?: () => number;
};

/**
 * Sends what the queue holds. Any number of replicas may run one. A mail is sent at least once: twice only where a process
 * dies between the server's yes and its note of it, and then with the same Message-ID.
 */
export class MailWorker {
  readonly #options: MailWorkerOptions;
  readonly #now: () => number;
  #loops: Repeated[] = [];
  #hasWarned = false;

  constructor(options: MailWorkerOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  start(): this {
    const { database, log } = this.#options;
    const options = { failed: 'mail queue could not be read, trying again', log };
    this.#loops = [
      repeat(async () => (await this.sendDue()) === BATCH, { everyMs: POLL_MS, ...options }),
      repeat(() => forgetFailed(database, this.#now() - FAILED_KEPT_MS), { everyMs: FORGET_EVERY_MS, ...options }),
    ];
    return this;
  }

  /** Finishes the mails in hand. A sender that is closed before fails them: they are tried again later. */
  async stop(): Promise<void> {
    await Promise.all(this.#loops.map((loop) => loop.stop()));
  }

  /** Sends mails that are due, at most one batch. @returns how many mails there were */
  async sendDue(): Promise<number> {
    const mails = await takeDue(this.#options.database, this.#now(), LEASE_MS, BATCH);
    // Mails to one recipient go one after the other, in the order in which they were queued.
    const byRecipient = Map.groupBy(mails, ({ recipient }) => recipient);
    await Promise.all(
      [...byRecipient.values()].map(async (theirs) => {
        for (const mail of theirs) await this.#handle(mail);
      }),
    );
    return mails.length;
  }

  async #handle(mail: DueMail): Promise<void> {
    const { database, sender, write, log } = this.#options;
    const { mailId, template, attempt } = mail;
    if (!sender) {
      if (!this.#hasWarned) log.warn({ template }, 'no mail server is configured (SMTP_URL): mails are not sent');
      this.#hasWarned = true;
      await removeMail(database, mail);
      return;
    }
    try {
      const content = await write(mail);
      if (content) await sender.send({ ...content, mailId, recipient: mail.recipient });
      await removeMail(database, mail);
      if (content) log.info({ mailId, template, attempt }, 'mail sent');
    } catch (error) {
      const failure = failureOf(error);
      const why = Object.values(failure).join(' ');
      const waitMs = error instanceof MailRefused ? undefined : RETRY_AFTER_MS[attempt - 1];
      log.warn(
        { mailId, template, attempt, ...failure, waitMs },
        waitMs ? 'mail not sent, trying again' : 'mail failed',
      );
      if (waitMs) await retryMail(database, mail, this.#now() + waitMs, why);
      else await failMail(database, mail, this.#now(), why);
    }
  }
}
