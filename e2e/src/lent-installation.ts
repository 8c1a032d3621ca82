import path from 'node:path';
import {
  freePort,
  natsLogin,
  type TestMailServer,
  type TestSmsServer,
  testMailServer,
  testSmsServer,
  until,
} from '@catchment/testkit';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { type Installation, installationIn, NO_DISK, type StartOptions, startInstallation } from './installation.ts';
import { borrow, LENDER_ENV, type Lendable, type Lent } from './lender.ts';
import { PROCESSES_ENV, processesOf } from './processes.ts';

/** Readers have 30 s for a message; those of programs more. */
const QUIET_LIMIT_MS = 40_000;
const MAIL_LOGIN = { user: 'catchment', password: 'mail secret' };

const STORED_ENV = {
  // Writers without a pause come to the daily limit of a source.
  ROWS_PER_SOURCE_PER_DAY: '0',
  CONVERTERS_FOLDER: path.resolve(import.meta.dirname, '../../services/processing/examples/converters'),
};

/**
 * The files of a run have these installations one after the other, each alone for its turn: it may kill and suspend all of it, and leaves
 * accounts behind. What a file does with the settings of an installation needs one of its own.
 */
export const LENT_KINDS = {
  /** Each service has a process: their memory is measured, they are killed one by one. */
  each: () => lendable({ processes: 'each', env: STORED_ENV }),
  /** A run says how services are spread, for files that kill whatever process a service has. */
  spread: () => lendable({ processes: processesOf(undefined), env: STORED_ENV }),
  /** Mails, SMS and webhooks go to servers of the file that has the turn. */
  messages: async () => {
    const ports = { mail: await freePort(), sms: await freePort() };
    const env = {
      SMTP_URL: `smtp://127.0.0.1:${ports.mail}`,
      SMTP_USER: MAIL_LOGIN.user,
      SMTP_PASSWORD: MAIL_LOGIN.password,
      SMTP_TLS: 'off',
      SMTP_FROM: 'Catchment <catchment@example.org>',
      SMS_PRESET: 'twilio',
      SMS_URL: `http://127.0.0.1:${ports.sms}/2010-04-01/Accounts/AC1/Messages.json`,
      SMS_USER: 'AC1',
      SMS_PASSWORD: 'x',
      SMS_FROM: '+4512345678',
      WEBHOOK_ALLOW_HTTP: 'true',
      WEBHOOK_ALLOWED_RANGES: '127.0.0.0/8',
      TRUSTED_PROXIES: '127.0.0.1',
    };
    return await lendable({ processes: processesOf(undefined) ?? '2', env }, ports);
  },
} as const;
type LentKind = keyof typeof LENT_KINDS;

/**
 * Waits for the turn of this file; without a lender (a run of single files), starts one. Its `stop` gives it back.
 * @param options.fresh services whose processes begin anew: what other files have left in their memory is not measured
 */
export async function borrowInstallation(
  kind: LentKind,
  options: { readonly fresh?: readonly string[] } = {},
): Promise<Installation> {
  const isSpread = kind === 'spread' && process.env[PROCESSES_ENV] !== undefined;
  const { installation } = await turnOf(kind === 'spread' && !isSpread ? 'each' : kind);
  try {
    for (const name of options.fresh ?? []) await installation.kill(name);
    await untilReady(installation);
    return installation;
  } catch (error) {
    await installation.stop();
    throw error;
  }
}

/** Borrows the installation of the kind `messages`, with the servers of this file. */
export async function borrowWithMessages(): Promise<{
  readonly installation: Installation;
  readonly mailServer: TestMailServer;
  readonly smsServer: TestSmsServer;
  stop(): Promise<void>;
}> {
  const { installation, ports } = await turnOf('messages');
  const open = new AsyncDisposableStack();
  open.defer(() => installation.stop());
  try {
    const mailServer = await testMailServer({ login: MAIL_LOGIN, port: ports.mail ?? 0 });
    open.defer(() => mailServer.close());
    const smsServer = await testSmsServer({ port: ports.sms ?? 0 });
    open.defer(() => smsServer.close());
    return { installation, mailServer, smsServer, stop: () => open.disposeAsync() };
  } catch (error) {
    await open.disposeAsync();
    throw error;
  }
}

async function turnOf(kind: LentKind): Promise<{ installation: Installation; ports: Lent['ports'] }> {
  const lender = process.env[LENDER_ENV];
  const { dataDir, ports, end } = lender === undefined ? await startedHere(kind) : await borrow(lender, kind);
  try {
    return { installation: await installationIn(dataDir, end), ports };
  } catch (error) {
    await end();
    throw error;
  }
}

async function startedHere(kind: LentKind): Promise<Lent & { end(): Promise<void> }> {
  const { dataDir, ports, stop } = await LENT_KINDS[kind]();
  return { dataDir, ports, end: stop };
}

async function lendable(options: StartOptions, ports: Lent['ports'] = {}): Promise<Lendable> {
  const installation = await startInstallation({ ...options, env: { ...NO_DISK, ...options.env } });
  const { dataDir, stop } = installation;
  const ready = async () => {
    await untilReady(installation);
    await untilQuiet((await installation.running()).natsUrl);
  };
  return { dataDir, ports, ready, stop };
}

/** Waits until each process takes work. */
async function untilReady({ url, running }: Pick<Installation, 'url' | 'running'>): Promise<void> {
  const isReady = async (address: string): Promise<boolean> =>
    (await fetch(`${address}/readyz`).catch(() => undefined))?.status === 200;
  for (const [name, port] of Object.entries((await running()).healthPorts)) {
    const address = name === 'gateway' ? url : `http://127.0.0.1:${port}`;
    await until(() => isReady(address), { what: `${name} is ready` });
  }
}

/**
 * Waits until readers have confirmed what they read: what a killed one had in hand comes again after its time. It goes on without
 * those that still have something then, such as a message for a server that nobody opens any more.
 */
async function untilQuiet(natsUrl: string): Promise<void> {
  const connection = await connect(natsLogin(natsUrl));
  try {
    const manager = await jetstreamManager(connection);
    const busy = async (): Promise<string[]> => {
      const found: string[] = [];
      for await (const { config } of manager.streams.list())
        for await (const reader of manager.consumers.list(config.name))
          if (reader.num_pending + reader.num_ack_pending > 0) found.push(`${config.name} ${reader.name}`);
      return found;
    };
    await until(async () => (await busy()).length === 0, {
      what: 'readers have confirmed all',
      deadlineMs: QUIET_LIMIT_MS,
    }).catch(async () => process.stderr.write(`still behind: ${(await busy()).join(', ')}\n`));
  } finally {
    await connection.close();
  }
}
