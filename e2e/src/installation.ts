import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { removeDataFolder, temporaryDataFolder, until } from '@catchment/testkit';
import { AccountMaker, type MakesAccounts } from './account-maker.ts';
import { Api, unique } from './api.ts';
import { LENDER_ENV, LentAccountMaker } from './lender.ts';
import { type Processes, processesOf } from './processes.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const READY_LIMIT_MS = 180_000;

/** Tests use a Catchment that this run started, or the one that the environment names. */
export type Installation = {
  readonly url: string;
  /** Its data lie in this folder; empty where the environment names the installation by its address. */
  readonly dataDir: string;
  readonly api: Api;
  /** Returns all that `catchment start` printed so far; empty where another process started it. */
  output(): string;
  /** Process ids by name, services and servers; several services may have one; only of an installation that this run started. */
  pids(): Promise<Record<string, number>>;
  /** Kills (SIGKILL) the process of a service or server of this run, and what else runs in it; resolves when another is in its place. */
  kill(name: string): Promise<void>;
  /** Makes another account of the same installation. */
  otherAccount(): Promise<Api>;
  /** Creates an account, with its administration key; only of an installation of the test. */
  account(options: AccountOptions): Promise<Account>;
  /** Runs `catchment account …` on the installation, which must belong to the test. */
  accountCommand(args: readonly string[]): Promise<string>;
  /** Runs any other `catchment …` that takes `--data-dir`; only of an installation of the test. */
  command(args: readonly string[]): Promise<string>;
  /** Returns the link that `catchment person link` prints for an e-mail; only of an installation of the test. */
  personLink(email: string): Promise<string>;
  /**
   * Returns where devices and their clients connect: scout, callback, mqtt, ftp, sftp, smtp … Only of an installation
   * of the test.
   * @param process one of several processes of devices, such as devices-2
   */
  listener(name: string, process?: string): Promise<number>;
  /** Reads the state of the running services, from `catchment start`; only of an installation of the test. */
  running(): Promise<{
    readonly healthPorts: Readonly<Record<string, number>>;
    /** The addresses have their logins. */
    readonly natsUrl: string;
    readonly postgresUrl: string;
    readonly influxUrl: string;
    readonly pids: Readonly<Record<string, number>>;
    /** The key is the service. */
    readonly logFiles: Readonly<Record<string, string>>;
  }>;
  stop(): Promise<void>;
};

/** @param parent id or slug of the account that manages it */
type AccountOptions = { readonly name: string; readonly type?: string; readonly parent?: string };
export type Account = { readonly id: string; readonly api: Api };

export type StartOptions = {
  readonly args?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  readonly dataDir?: string;
  readonly keepData?: boolean;
  /** A test may mean the process of one service: «each». Otherwise the choice is this file's turn. */
  readonly processes?: Processes | undefined;
};

/** `npm test` gives its end-to-end tests the data folder of the installation that they share by this variable. */
export const SHARED_INSTALLATION_ENV = 'CATCHMENT_TEST_SHARED';

/**
 * Runs `catchment start` with data of its own and waits for the printed address and key. Tests that give no options stop, kill and
 * set nothing, so another installation does for them: the one that `npm test` started for all of them, in which they get an
 * account of their own, or with CATCHMENT_URL, CATCHMENT_KEY and CATCHMENT_OTHER_KEY (administration keys of two accounts) in the
 * environment that one (profile `smoke`).
 */
export async function startInstallation(options: StartOptions = {}): Promise<Installation> {
  const asksNothing = Object.keys(options).length === 0;
  if (asksNothing && process.env.CATCHMENT_URL) return namedInstallation(process.env);
  const shared = process.env[SHARED_INSTALLATION_ENV];
  if (asksNothing && shared !== undefined) return sharedInstallation(shared);
  const dataDir = options.dataDir ?? (await temporaryDataFolder());
  const processes = options.processes ?? processesOf(testFile());
  const child = catchment(
    [
      'start',
      '--port',
      '0',
      '--data-dir',
      dataDir,
      ...(options.args ?? ['--no-demo']),
      ...(processes ? ['--processes', processes] : []),
    ],
    { ...ofTests(asksNothing), ...options.env },
  );
  let output = '';
  child.stdout?.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    output += chunk;
  });
  const accounts = new AccountMaker(dataDir);
  const stop = async () => {
    await accounts.end();
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    if (!options.keepData) await removeDataFolder(dataDir);
  };
  try {
    const { url, key } = await printed(child, () => output);
    const running = () => runningOf(dataDir);
    const pids = async (): Promise<Record<string, number>> => (await running()).pids;
    return {
      ...commandsOf(dataDir, url, accounts),
      api: new Api(url, key),
      output: () => output,
      pids,
      kill: (name) => kill(pids, name),
      running,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Tests kill processes, not the machine: what PostgreSQL has answered is there, though it does not wait for the disk. */
export const NO_DISK = { POSTGRES_FSYNC: 'false' };
/**
 * The installation that most tests share has these settings: messages within a process are frozen and checked as if a wire encoded them,
 * and transactions run twice. A test may name the address of its client by `X-Forwarded-For`.
 */
export const CHECKED = {
  CHECK_MESSAGES: 'true',
  REHEARSE_TRANSACTIONS: 'true',
  TRUSTED_PROXIES: '127.0.0.1',
  ...NO_DISK,
};

/** An installation under test gets these settings; those of scripts are as people have them. */
const ofTests = (isShared: boolean): NodeJS.ProcessEnv => {
  if (testFile() === undefined) return {};
  return isShared ? CHECKED : NO_DISK;
};

/** Returns the file whose test runs; undefined outside of a test. */
const testFile = (): string | undefined =>
  (globalThis as { expect?: { getState(): { testPath?: string } } }).expect?.getState().testPath;

const runningOf = async (dataDir: string) => JSON.parse(await readFile(path.join(dataDir, 'running.json'), 'utf8'));

/** The commands of an installation do this, wherever it was started. */
function commandsOf(dataDir: string, url: string, accounts: MakesAccounts) {
  return {
    url,
    dataDir,
    listener: async (name: string, of = 'devices'): Promise<number> => {
      const { listeners, replicaListeners } = await runningOf(dataDir);
      return (of === 'devices' ? listeners : replicaListeners[of])[name];
    },
    otherAccount: async () => (await createAccount(accounts, url, { name: unique('Other') })).api,
    account: (asked: AccountOptions) => createAccount(accounts, url, asked),
    accountCommand: (args: readonly string[]) => command(dataDir, ['account', ...args]),
    command: (args: readonly string[]) => command(dataDir, args),
    personLink: (email: string) => personLink(dataDir, email),
  };
}

/** Uses an installation that another process started, as an account of its own. @param giveBack what `stop` does besides */
export async function installationIn(dataDir: string, giveBack: () => unknown): Promise<Installation> {
  const lender = process.env[LENDER_ENV];
  const accounts = lender === undefined ? new AccountMaker(dataDir) : new LentAccountMaker(lender, dataDir);
  const running = () => runningOf(dataDir);
  const pids = async (): Promise<Record<string, number>> => (await running()).pids;
  const commands = commandsOf(dataDir, (await running()).url, accounts);
  return {
    ...commands,
    api: await commands.otherAccount(),
    output: () => '',
    pids,
    kill: (name) => kill(pids, name),
    running,
    stop: async () => {
      await accounts.end();
      await giveBack();
    },
  };
}

/** Returns the installation of all tests that ask for nothing: none of them stops or kills it. */
async function sharedInstallation(dataDir: string): Promise<Installation> {
  const isShared = () => Promise.reject(new Error('other tests use this installation too: start one with options'));
  return { ...(await installationIn(dataDir, () => {})), pids: isShared, kill: isShared, running: isShared };
}

function namedInstallation(env: NodeJS.ProcessEnv): Installation {
  const { CATCHMENT_URL: url = '', CATCHMENT_KEY: key, CATCHMENT_OTHER_KEY: otherKey } = env;
  if (!key || !otherKey) throw new Error('CATCHMENT_URL needs CATCHMENT_KEY and CATCHMENT_OTHER_KEY');
  const notOurs = () => Promise.reject(new Error('known of an installation that the tests started themselves only'));
  return {
    url,
    dataDir: '',
    api: new Api(url, key),
    output: () => '',
    pids: notOurs,
    kill: notOurs,
    listener: notOurs,
    running: notOurs,
    otherAccount: async () => new Api(url, otherKey),
    account: notOurs,
    accountCommand: notOurs,
    command: notOurs,
    personLink: notOurs,
    stop: async () => {},
  };
}

async function kill(pids: () => Promise<Record<string, number>>, name: string): Promise<void> {
  const pid = (await pids())[name];
  if (pid === undefined) throw new Error(`${name} has no process`);
  process.kill(pid, 'SIGKILL');
  await until(async () => ((await pids())[name] ?? pid) !== pid, {
    what: `${name} is started again`,
  });
}

/** Runs a `catchment` command to its end. */
export async function runCatchment(
  args: readonly string[],
  env?: NodeJS.ProcessEnv,
): Promise<{ code: number | null; output: string }> {
  const child = catchment(args, env);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      output += chunk;
    });
  }
  const [code] = await once(child, 'close');
  return { code, output };
}

/** Starts a `catchment` command. */
export function catchment(args: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
  // Options of the tests' own process must not reach the services.
  const { NODE_OPTIONS: _ours, ...inherited } = process.env;
  return spawn(path.join(ROOT, 'cli/bin/catchment'), [...args], {
    env: { ...inherited, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function createAccount(maker: MakesAccounts, url: string, { name, ...rest }: AccountOptions): Promise<Account> {
  const email = `${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}@example.org`;
  const { id, key } = await maker.make({ name, email, ...rest });
  return { id, api: new Api(url, key) };
}

async function command(dataDir: string, args: readonly string[]): Promise<string> {
  const { code, output } = await runCatchment([...args, '--data-dir', dataDir]);
  if (code !== 0) throw new Error(`catchment ${args.join(' ')} failed: ${output}`);
  return output;
}

async function personLink(dataDir: string, email: string): Promise<string> {
  const output = await command(dataDir, ['person', 'link', email]);
  const link = /https?:\/\/\S+/.exec(output)?.[0];
  if (!link) throw new Error(`catchment person link ${email} printed no link: ${output}`);
  return link;
}

/** The first address and the first line with «key», once the last of them is printed. */
async function printed(child: ChildProcess, output: () => string): Promise<{ url: string; key: string }> {
  const limit = AbortSignal.timeout(READY_LIMIT_MS);
  for (;;) {
    const url = /https?:\/\/\S+/.exec(output())?.[0];
    const line = output()
      .split('\n')
      .find((line) => /key/i.test(line));
    const key = /[A-Za-z0-9]{40}/.exec(line ?? '')?.[0];
    if (url && key && output().includes('Ctrl-C stops')) return { url, key };
    if (child.exitCode !== null || limit.aborted) throw new Error(`catchment start did not get ready:\n${output()}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
