import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { json, text } from 'node:stream/consumers';
import { AccountMaker, type AskedAccount, type MadeAccount, type MakesAccounts } from './account-maker.ts';

/** `npm test` gives its end-to-end tests the Unix socket of the lender by this variable. */
export const LENDER_ENV = 'CATCHMENT_TEST_LENDER';

/** What a file of tests gets for its turn. */
export type Lent = {
  readonly dataDir: string;
  /** The installation has these free ports, by name, as addresses of servers outside: who has the turn opens them. */
  readonly ports: Readonly<Record<string, number>>;
};
/** The lender has started this installation. */
export type Lendable = Lent & {
  /** Resolves when all of it takes work, whatever the turn before has killed. */
  ready(): Promise<void>;
  stop(): Promise<void>;
};

type Starters = Readonly<Record<string, () => Promise<Lendable>>>;
type Lender = {
  /** `LENDER_ENV` gets this path of the Unix socket. */
  readonly socket: string;
  /** Stops what was started. */
  close(): Promise<void>;
};

/**
 * Lends installations to the files of one run, each to one file at a time, over a Unix socket: a turn lasts as long as its request
 * (`GET /turns/<kind>` → `Lent`), so it ends with the process that has it. `POST /accounts?dataDir=…` makes an account: one
 * process does it for all files. The socket's folder is open to this account only.
 */
export async function openLender(starters: Starters): Promise<Lender> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'catchment-lender-'));
  const started = new Map<string, Promise<Lendable>>();
  const turns = new Map<string, Promise<void>>();
  const makers = new Map<string, AccountMaker>();
  /** One start after the other: the first one builds the pages of the browser. */
  let lastStart: Promise<unknown> = Promise.resolve();

  const lendable = (kind: string): Promise<Lendable> => {
    const start = starters[kind];
    if (start === undefined) throw new Error(`nothing of the kind ${kind} is lent`);
    const starting = started.get(kind) ?? lastStart.then(start);
    started.set(kind, starting);
    lastStart = starting.catch(() => {});
    return starting;
  };
  const lend = async (kind: string, response: ServerResponse): Promise<void> => {
    const over = Promise.withResolvers<void>();
    response.once('close', over.resolve);
    const before = turns.get(kind);
    turns.set(kind, over.promise);
    await before;
    if (response.destroyed) return;
    const { dataDir, ports, ready } = await lendable(kind);
    await ready();
    response.write(`${JSON.stringify({ dataDir, ports } satisfies Lent)}\n`);
  };
  const makeAccount = async (dataDir: string, asked: AskedAccount): Promise<MadeAccount> => {
    const maker = makers.get(dataDir) ?? new AccountMaker(dataDir);
    makers.set(dataDir, maker);
    return await maker.make(asked);
  };
  const answer = async (asked: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams } = new URL(asked.url ?? '', 'http://lender');
    const [, what, kind = ''] = pathname.split('/');
    if (what === 'turns') return await lend(kind, response);
    const body = (await json(asked)) as AskedAccount;
    response.end(JSON.stringify(await makeAccount(searchParams.get('dataDir') ?? '', body)));
  };

  const http = createServer({ requestTimeout: 0 }, (asked, response) => {
    answer(asked, response).catch((error: Error) => {
      if (!response.headersSent) response.writeHead(500);
      response.end(error.message);
    });
  });
  const socket = path.join(folder, 'lender.sock');
  await new Promise<void>((resolve, reject) => http.once('error', reject).listen(socket, resolve));
  http.unref();
  const close = async (): Promise<void> => {
    http.close();
    http.closeAllConnections();
    await Promise.allSettled([...makers.values()].map((maker) => maker.end()));
    await Promise.allSettled([...started.values()].map(async (starting) => (await starting).stop()));
    await rm(folder, { recursive: true, force: true });
  };
  return { socket, close };
}

/** Waits for the turn. @returns what is lent, and the end of the turn */
export async function borrow(socket: string, kind: string): Promise<Lent & { end(): Promise<void> }> {
  const asked = request({ socketPath: socket, path: `/turns/${kind}`, agent: false });
  asked.end();
  const response = await answered(asked);
  // Its end is the end of the turn; the broken connection is no news.
  response.on('error', () => {});
  asked.on('error', () => {});
  const [line] = await new Promise<Buffer[]>((resolve, reject) => {
    response.once('data', (chunk: Buffer) => resolve([chunk]));
    response.once('end', () => reject(new Error(`the lender has ended while ${kind} was asked for`)));
  });
  return { ...(JSON.parse(String(line)) as Lent), end: async () => void asked.destroy() };
}

/** Makes accounts by the process of the lender. */
export class LentAccountMaker implements MakesAccounts {
  readonly #socket: string;
  readonly #dataDir: string;

  constructor(socket: string, dataDir: string) {
    this.#socket = socket;
    this.#dataDir = dataDir;
  }

  async make(asked: AskedAccount): Promise<MadeAccount> {
    const address = `/accounts?${new URLSearchParams({ dataDir: this.#dataDir })}`;
    const sent = request({ socketPath: this.#socket, path: address, method: 'POST', agent: false });
    sent.end(JSON.stringify(asked));
    return (await json(await answered(sent))) as MadeAccount;
  }

  async end(): Promise<void> {}
}

/** @throws Error with the text of an answer that is none */
async function answered(asked: ReturnType<typeof request>): Promise<IncomingMessage> {
  const response = await new Promise<IncomingMessage>((resolve, reject) =>
    asked.once('response', resolve).once('error', reject),
  );
  if (response.statusCode !== 200) throw new Error(await text(response));
  return response;
}
