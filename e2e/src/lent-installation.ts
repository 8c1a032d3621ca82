import path from 'node:path';
import { freePort, type TestMailServer, testMailServer, until } from '@catchment/testkit';
import { type Installation, installationIn, NO_DISK, type StartOptions, startInstallation } from './installation.ts';
import { borrow, LENDER_ENV, type Lendable, type Lent } from './lender.ts';
import { processesOf } from './processes.ts';

const MAIL_LOGIN = { user: 'catchment', password: 'mail secret' };

/**
 * Installations that the files of a run have one after the other, each alone for its turn. A file leaves accounts behind, and may start
 * processes anew; one that kills at any time, or means its settings, needs an installation of its own.
 */
export const LENT_KINDS = {
  /** A process for each service: their memory is measured. */
  each: () =>
    lendable({
      processes: 'each',
      env: {
        CONVERTERS_FOLDER: path.resolve(import.meta.dirname, '../../services/processing/examples/converters'),
      },
    }),
  /** Mails go to a server of the file that has the turn. */
  mails: async () => {
    const ports = { mail: await freePort() };
    const env = {
      SMTP_URL: `smtp://127.0.0.1:${ports.mail}`,
      SMTP_USER: MAIL_LOGIN.user,
      SMTP_PASSWORD: MAIL_LOGIN.password,
      SMTP_TLS: 'off',
      SMTP_FROM: 'Catchment <catchment@example.org>',
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
  const { installation } = await turnOf(kind);
  try {
    for (const name of options.fresh ?? []) await installation.kill(name);
    await untilReady(installation);
    return installation;
  } catch (error) {
    await installation.stop();
    throw error;
  }
}

/** The installation of the kind `mails` with the server of this file. */
export async function borrowWithMails(): Promise<{
  readonly installation: Installation;
  readonly mailServer: TestMailServer;
  stop(): Promise<void>;
}> {
  const { installation, ports } = await turnOf('mails');
  try {
    const mailServer = await testMailServer({ login: MAIL_LOGIN, port: ports.mail ?? 0 });
    const stop = async () => {
      await mailServer.close();
      await installation.stop();
    };
    return { installation, mailServer, stop };
  } catch (error) {
    await installation.stop();
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
  return { dataDir, ports, ready: () => untilReady(installation), stop };
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
