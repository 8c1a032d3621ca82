import { Allowance, type Limits, REMOTE_LIMITS } from '@catchment/egress';
import { SpanKind, withSpan } from '@catchment/telemetry';
import { createTransport } from 'nodemailer';
import type { MailSettings } from './mail-settings.ts';

/** A mail is sent like this: both forms say the same. */
export type MailContent = { readonly subject: string; readonly text: string; readonly html: string };

/** The file goes with a mail. */
type MailAttachment = { readonly fileName: string; readonly contentType: string; readonly bytes: Buffer };

export type OutgoingMail = MailContent & {
  /** The same for every attempt: receivers recognise a mail that came twice. */
  readonly mailId: string;
  readonly recipient: string;
  /** Further headers, by name. */
  readonly headers?: Readonly<Record<string, string>>;
  /** A third larger on their way: a mail of 25 MB, as much as most servers take, holds 18 MB of them. */
  readonly attachments?: readonly MailAttachment[];
};

export type MailSender = {
  /** @throws MailRefused when it can never succeed; anything else is worth another attempt */
  send(mail: OutgoingMail): Promise<void>;
  close(): void;
};

/** The server will not take this mail, however often it is tried. */
export class MailRefused extends Error {
  constructor(options: ErrorOptions) {
    super('the mail server has refused the mail', options);
    this.name = 'MailRefused';
  }
}

const CONNECTIONS = 3;
const CONNECT_MS = 10_000;
/** The server may be silent for this long. */
const SILENCE_MS = 20_000;

/**
 * Sends over SMTP; a few connections are kept while there is something to send.
 * @param limits of a mail with its replies: a server that says a byte now and then is given up, with whatever else it was sent
 */
export function smtpSender(settings: MailSettings, limits: Limits = REMOTE_LIMITS.mail): MailSender {
  const { host, port, from } = settings;
  let transport = openTransport(settings, limits);
  const giveUp = (stuck: typeof transport) => {
    if (stuck !== transport) return;
    transport = openTransport(settings, limits);
    stuck.close({ force: true });
  };
  const domain = /@([^@>\s]+)>?$/.exec(from)?.[1] ?? 'localhost';
  return {
    send: async ({ mailId, recipient, subject, text, html, headers, attachments = [] }) => {
      const used = transport;
      const sending = () =>
        used
          .sendMail({
            messageId: `<${mailId}@${domain}>`,
            from,
            // An address of ours is one address, whatever characters are in it.
            to: { name: '', address: recipient },
            subject,
            text,
            html,
            headers: { 'Auto-Submitted': 'auto-generated', ...headers },
            attachments: attachments.map(({ fileName: filename, contentType, bytes: content }) => ({
              filename,
              contentType,
              content,
            })),
          })
          .catch((error: Error) => {
            throw isFinal(error) ? new MailRefused({ cause: error }) : error;
          });
      const attributes = { 'network.protocol.name': 'smtp', 'server.address': host, 'server.port': port };
      await withSpan('smtp send', { kind: SpanKind.CLIENT, attributes, hidesErrors: true }, () =>
        within(limits, sending, () => giveUp(used)),
      );
    },
    close: () => transport.close(),
  };
}

/** @throws LimitReached, after `giveUp`, where it takes too long */
async function within(limits: Limits, work: () => Promise<unknown>, giveUp: () => void): Promise<void> {
  using allowance = new Allowance(limits);
  const { promise: late, reject } = Promise.withResolvers<never>();
  allowance.signal.addEventListener('abort', () => {
    reject(allowance.signal.reason);
    giveUp();
  });
  await Promise.race([work(), late]);
}

function openTransport({ host, port, security, login }: MailSettings, { maxBytes }: Limits) {
  const transport = createTransport({
    host,
    port,
    secure: security === 'tls',
    requireTLS: security === 'required',
    ignoreTLS: security === 'off',
    ...(login && { auth: { user: login.user, pass: login.password } }),
    pool: true,
    maxConnections: CONNECTIONS,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    maxResponseSize: maxBytes,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  // An idle connection that breaks is replaced; without a listener it would end the process.
  transport.on('error', () => {});
  return transport;
}

/** Returns the loggable part of a failure: the server's text may name people. */
export function failureOf(error: unknown): { code: string; response?: number } {
  const cause = (error instanceof MailRefused ? error.cause : error) as { code?: unknown; responseCode?: unknown };
  return {
    code: typeof cause?.code === 'string' ? cause.code : 'UNKNOWN',
    ...(typeof cause?.responseCode === 'number' && { response: cause.responseCode }),
  };
}

/** A 5xx about sender, recipient or content is final; one about our login or TLS is for the operator to mend. */
function isFinal(error: Error): boolean {
  const { code, responseCode } = error as { code?: string; responseCode?: number };
  return (code === 'EENVELOPE' || code === 'EMESSAGE') && responseCode !== undefined && responseCode >= 500;
}
