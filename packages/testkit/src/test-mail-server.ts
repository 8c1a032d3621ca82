import { type ParsedMail, simpleParser } from 'mailparser';
import { SMTPServer } from 'smtp-server';
import { until } from './until.ts';

export type ReceivedMail = {
  readonly from: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly messageId: string;
  /** The key is the name in lower case. */
  readonly headers: ReadonlyMap<string, unknown>;
  readonly attachments: readonly { readonly fileName: string; readonly contentType: string; readonly bytes: Buffer }[];
};

export type TestMailServer = {
  /** smtp:// without a login. */
  readonly url: string;
  readonly port: number;
  /** Everything that was accepted, in order. */
  readonly mails: readonly ReceivedMail[];
  /** The newest mail to an address, once there are that many. */
  mailTo(address: string, count?: number): Promise<ReceivedMail>;
  /** Logins that clients have tried. */
  readonly logins: readonly { user: string; password: string }[];
  /** The SMTP code to answer to RCPT TO; undefined = it is taken. */
  refuse(code: (recipient: string) => number | undefined): void;
  close(): Promise<void>;
};

/** Clients that keep a connection are cut off after this long. */
const CLOSE_MS = 100;

/**
 * Starts a real SMTP server that keeps what it gets.
 * @param options.login demanded from clients
 * @param options.offersTls STARTTLS with an untrusted certificate
 * @param options.port default: a free one
 * @param options.host address to listen at; default: loopback
 */
export async function testMailServer(
  options: { login?: { user: string; password: string }; offersTls?: boolean; port?: number; host?: string } = {},
): Promise<TestMailServer> {
  const { login, offersTls = false, host = '127.0.0.1' } = options;
  const mails: ReceivedMail[] = [];
  const logins: { user: string; password: string }[] = [];
  let codeFor: (recipient: string) => number | undefined = () => undefined;
  const server = new SMTPServer({
    logger: false,
    // Senders keep their connections for the next mail.
    closeTimeout: CLOSE_MS,
    authOptional: login === undefined,
    allowInsecureAuth: true,
    disabledCommands: offersTls ? [] : ['STARTTLS'],
    onAuth: ({ username, password }, _session, done) => {
      const user = username ?? '';
      logins.push({ user, password: password ?? '' });
      if (user === login?.user && password === login?.password) done(null, { user });
      else done(new Error('wrong login'));
    },
    onRcptTo: ({ address }, _session, done) => {
      const code = codeFor(address);
      done(code === undefined ? null : Object.assign(new Error('not taken here'), { responseCode: code }));
    },
    onData: (stream, session, done) => {
      simpleParser(stream).then((parsed) => {
        const envelope = session.envelope.rcptTo.map(({ address }) => address);
        mails.push(received(parsed, envelope));
        done();
      }, done);
    },
  });
  // A client that goes away is no error of ours.
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, host, () => resolve()));
  const { port } = server.server.address() as { port: number };
  return {
    url: `smtp://${host}:${port}`,
    port,
    mails,
    logins,
    mailTo: (address, count = 1) =>
      until(
        () => {
          const all = mails.filter(({ to }) => to.includes(address));
          return all.length >= count ? all.at(-1) : undefined;
        },
        { what: `mail ${count} to ${address}` },
      ),
    refuse: (code) => {
      codeFor = code;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

const received = (mail: ParsedMail, to: string[]): ReceivedMail => ({
  from: mail.from?.text ?? '',
  to,
  subject: mail.subject ?? '',
  text: mail.text ?? '',
  html: mail.html || '',
  messageId: mail.messageId ?? '',
  headers: mail.headers,
  attachments: mail.attachments.map(({ filename = '', contentType, content: bytes }) => ({
    fileName: filename,
    contentType,
    bytes,
  })),
});
