import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError, toDomainError, unavailable } from '@catchment/errors';
import { countOf } from '@catchment/number-format';
import type { Logger } from '@catchment/telemetry';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import { type Admission, listenOn, type TlsPair } from '../../listening/index.ts';
import { acquisitions } from '../../sources/index.ts';
import { keyOfAddress } from '../domain/mail-address.ts';
import type { AdmittedUpload, UploadAdmission } from '../usecases/admit-upload.ts';
import { type TakeDeps, takeTogether } from '../usecases/take-upload.ts';
import { filesOfMail } from './mail-files.ts';

export type MailDeps = {
  readonly host: string;
  /** Sources' addresses have this after the `@`. */
  readonly mailDomain: string;
  /** PEM; absent: no STARTTLS. */
  readonly tls: TlsPair | undefined;
  readonly uploadAdmission: UploadAdmission;
  readonly take: TakeDeps;
  readonly admission: Admission;
  /** Mails that come at a time, by account, and bytes of all of them: texts in them are held in memory. */
  readonly mails: Admission;
  readonly log: Logger;
  readonly idleMs: number;
};

/** See docs/reference/limits.md. */
const MAIL_MAX_BYTES = 25 * 1024 * 1024;
/** A slow mobile network takes this long for 25 MB. */
const MAIL_LIMIT_MS = 15 * 60_000;
const COMMAND_MAX_BYTES = 2 * 1024;
const DRAIN_MS = 8_000;

type Answer = (error?: Error | null, text?: string) => void;
type Client = {
  admitted: AdmittedUpload<'Email'> | undefined;
  /** Ends the mail that comes. */
  leave: ((error: Error) => void) | undefined;
};

/** Takes mails for sources, and nothing for anybody else (docs/reference/acquisition.md#e-mail). @param port 0 = any free one */
export async function openMail(
  deps: MailDeps,
  port: number,
): Promise<{ readonly ports: readonly number[]; close(): Promise<void> }> {
  const clients = new Map<string, Client>();
  const coming = new Set<Promise<number>>();
  const clientOf = ({ id }: SMTPServerSession): Client => {
    const client = clients.get(id) ?? { admitted: undefined, leave: undefined };
    clients.set(id, client);
    return client;
  };
  const server = new SMTPServer({
    name: deps.mailDomain,
    banner: 'Catchment takes mails for sources',
    size: MAIL_MAX_BYTES,
    rejectOversized: true,
    authOptional: true,
    disabledCommands: deps.tls ? ['AUTH'] : ['AUTH', 'STARTTLS'],
    ...deps.tls,
    // The answer to DATA is one for all recipients: senders come again with the next one.
    maxRecipients: 1,
    maxCommandLength: COMMAND_MAX_BYTES,
    disableReverseLookup: true,
    socketTimeout: deps.idleMs,
    closeTimeout: DRAIN_MS,
    logger: false,
    onRcptTo: ({ address }, session, answer: Answer) => {
      admitRecipient(deps, address, session).then(
        (admitted) => {
          clientOf(session).admitted = admitted;
          answer();
        },
        (error: unknown) => answer(smtpError(deps, error)),
      );
    },
    onData: (stream, session, answer: Answer) => {
      const taken = takeMail(deps, clientOf(session), stream, session).finally(() => coming.delete(taken));
      coming.add(taken);
      taken.then(
        (files) => answer(null, `Kept: ${countOf(files, 'file')}`),
        (error: unknown) => {
          // The client is answered at the end of its mail.
          stream.resume();
          if (stream.readableEnded || stream.destroyed) answer(smtpError(deps, error));
          else stream.once('end', () => answer(smtpError(deps, error)));
        },
      );
    },
    onClose: (session) => {
      clients.get(session.id)?.leave?.(new DomainError('cancelled', 'CALLER_LEFT', 'the client has left'));
      clients.delete(session.id);
    },
  });
  server.on('error', (err) => deps.log.debug({ err }, 'SMTP connection failed'));
  const { admission, host, log } = deps;
  const listen = { admission, log, what: 'SMTP', tooMany: '421 Too many connections: try again later\r\n' };
  const listening = await listenOn({ host, port }, listen, (socket) => server.connect(socket));
  return {
    ports: [listening.port],
    close: async () => {
      listening.refuse();
      for (const connection of server.connections) {
        if (clients.get(connection.session.id)?.leave) continue;
        connection.send(421, 'Stopping: try again later');
        connection.close();
      }
      const late = new AbortController();
      const limit = sleep(DRAIN_MS, undefined, { signal: late.signal }).catch(() => {});
      await Promise.race([Promise.allSettled(coming), limit]);
      late.abort();
      await listening.close();
    },
  };
}

/** @throws DomainError, Error with a response code */
async function admitRecipient(
  { mailDomain, uploadAdmission }: MailDeps,
  recipient: string,
  { remoteAddress }: SMTPServerSession,
): Promise<AdmittedUpload<'Email'>> {
  const key = keyOfAddress(recipient, mailDomain);
  if (key === undefined) throw response(550, `No such mailbox: an address is upload+<key of the source>@${mailDomain}`);
  return uploadAdmission.admit({ transport: 'Email', key, address: remoteAddress });
}

/** @returns the number of files */
async function takeMail(
  { uploadAdmission, take, mails, log }: MailDeps,
  client: Client,
  stream: SMTPServerDataStream,
  { envelope }: SMTPServerSession,
): Promise<number> {
  const { admitted } = client;
  if (!admitted) throw response(503, 'RCPT first');
  const { source, settings } = admitted;
  if (!mails.enter(source.ownerId)) throw response(451, 'Too many mails come at once: try again later');
  const sender = envelope.mailFrom ? envelope.mailFrom.address : '';
  let heldBytes = 0;
  const came = (bytes: number) => {
    if (mails.hold(heldBytes, heldBytes + bytes)) heldBytes += bytes;
    else client.leave?.(unavailable('BODY_MEMORY_FULL'));
  };
  const timer = setTimeout(() => client.leave?.(new Error('it took too long')), MAIL_LIMIT_MS);
  try {
    client.leave = (error) => stream.destroy(error);
    const isAttachmentSource = source.class === 'source.attachment.AttachmentSource';
    let messageId: string | undefined;
    const identified = (id: string) => {
      messageId = id;
    };
    const coming = filesOfMail(stream, { settings, isAttachmentSource, sender, identified, came });
    const files = await takeTogether(take, source, coming, () => messageId);
    if (files === 0)
      throw response(554, settings.dataFrom === 'BODY' ? 'The e-mail has no text' : 'The e-mail has no attachment');
    acquisitions.add({ transport: 'Email', outcome: 'ok' });
    return files;
  } catch (error) {
    const { kind, message } = toDomainError(error);
    const code = (error as SmtpError).responseCode;
    const isRefused =
      kind === 'permission_denied' || kind === 'invalid_argument' || code === 554 || stream.sizeExceeded;
    acquisitions.add({ transport: 'Email', outcome: isRefused ? 'refused' : 'failed' });
    if (isRefused) {
      const reason = stream.sizeExceeded ? 'it has more than 25 MB' : code ? (error as Error).message : message;
      await uploadAdmission.report(source, `Refused e-mail from ${sender || 'nobody'}: ${reason}`);
    }
    log.debug({ err: error, sourceId: source.nodeId }, 'e-mail was not taken');
    throw error;
  } finally {
    client.leave = undefined;
    clearTimeout(timer);
    mails.hold(heldBytes, 0);
    heldBytes = 0;
    mails.leave(source.ownerId);
  }
}

type SmtpError = Error & { responseCode?: number };

const response = (responseCode: number, message: string): SmtpError =>
  Object.assign(new Error(message), { responseCode });

/** The error is permanent where the sender must hear of it, otherwise the sender tries again. */
function smtpError({ log }: MailDeps, error: unknown): SmtpError {
  if ((error as SmtpError).responseCode) return error as SmtpError;
  const { kind, message } = toDomainError(error);
  switch (kind) {
    case 'not_found':
      return response(550, 'No source has this address');
    case 'permission_denied':
      return response(550, `Not allowed: ${message}`);
    case 'too_large':
      return response(552, 'Too large: at most 25 MB');
    case 'invalid_argument':
      return response(554, message);
    case 'resource_exhausted':
      return response(452, message);
    default:
      log.warn({ err: error }, 'e-mail could not be kept');
      return response(451, 'Not available: try again later');
  }
}
