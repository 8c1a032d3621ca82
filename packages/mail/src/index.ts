export { layOut, type MailText } from './mail-layout.ts';
export { appendMails, type DueMail, type QueuedMail } from './mail-queue.ts';
export { type MailSettings, readMailSettings } from './mail-settings.ts';
export { MailWorker, type MailWorkerOptions, RETRY_AFTER_MS } from './mail-worker.ts';
export {
  failureOf,
  type MailContent,
  MailRefused,
  type MailSender,
  type OutgoingMail,
  smtpSender,
} from './smtp-sender.ts';
