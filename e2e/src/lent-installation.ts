import path from 'node:path';
import {
  freePort,
  type TestMailServer,
  type TestSmsServer,
  testMailServer,
  testSmsServer,
  until,
} from '@catchment/testkit';
import { type Installation, installationIn, NO_DISK, type StartOptions, startInstallation } from './installation.ts';
import { borrow, LENDER_ENV, type Lendable, type Lent } from './lender.ts';

const MAIL_LOGIN = { user: 'catchment', password: 'mail secret' };

/**
 * Installations that the files of a run have one after the other, each alone for its turn: it may kill and suspend all of
 * it, and leaves accounts behind. What a file does with the settings of an installation needs one of its own.
 */
export const LENT_KINDS = {
  /** A process for each service: their memory is measured, they are killed one by one. */
  each: () =>
    lendable({
      processes: 'each',
      env: {
        // Writers without a pause come to the daily limit of a source.
        ROWS_PER_SOURCE_PER_DAY: '0',
        CONVERTERS_FOLDER: path.resolve(import.meta.dirname, '../../services/processing/examples/converters'),
      },
    }),
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
    return await lendable({ processes: '2', env }, ports);
  },
} as const;
type LentKind = keyof typeof LENT_KINDS;

/** Waits for the turn of this file; without a lender (a run of single files), starts one. Its `stop` gives it back. */
export async function borrowInstallation(kind: LentKind): Promise<Installation> {
  return (await turnOf(kind)).installation;
}

/** The installation of the kind `messages` with the servers of this file. */
export async function borrowWithMessages(): Promise<{
  readonly installation: Installation;
  readonly mailServer: TestMailServer;
  readonly smsServer: TestSmsServer;
  stop(): Promise<void>;
}> {
  const { installation, ports } = await turnOf('messages');
  const [mailServer, smsServer] = await Promise.all([
    testMailServer({ login: MAIL_LOGIN, port: ports.mail ?? 0 }),
    testSmsServer({ port: ports.sms ?? 0 }),
  ]);
  const stop = async () => {
    await Promise.all([mailServer.close(), smsServer.close()]);
    await installation.stop();
  };
  return { installation, mailServer, smsServer, stop };
}

async function turnOf(kind: LentKind): Promise<{ installation: Installation; ports: Lent['ports'] }> {
  const lender = process.env[LENDER_ENV];
  if (lender !== undefined) {
    const { dataDir, ports, giveBack } = await borrow(lender, kind);
    return { installation: await installationIn(dataDir, giveBack), ports };
  }
  const { dataDir, ports, stop } = await LENT_KINDS[kind]();
  return { installation: await installationIn(dataDir, stop), ports };
}

async function lendable(options: StartOptions, ports: Lent['ports'] = {}): Promise<Lendable> {
  const { dataDir, url, running, stop } = await startInstallation({ ...options, env: { ...NO_DISK, ...options.env } });
  const isReady = async (address: string): Promise<boolean> =>
    (await fetch(`${address}/readyz`).catch(() => undefined))?.status === 200;
  const ready = async () => {
    const { healthPorts } = await running();
    const addresses = Object.entries(healthPorts).map(([name, port]) =>
      name === 'gateway' ? url : `http://127.0.0.1:${port}`,
    );
    for (const address of addresses) await until(() => isReady(address), { what: `${address} is ready` });
  };
  return { dataDir, ports, ready, stop };
}
