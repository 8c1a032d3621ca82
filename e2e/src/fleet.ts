import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { seededRandom, until } from '@catchment/testkit';
import type { Answer, Api } from './api.ts';
import { catchment, type Installation, startInstallation } from './installation.ts';
import type { Processes } from './processes.ts';

/** Processes that may be killed under a fleet: both of devices, and those that they need. */
export const VICTIMS = ['devices', 'devices-2', 'nats', 'historic'] as const;
type Victim = (typeof VICTIMS)[number];
export type Kill = { readonly name: Victim; readonly atMs: number };

type FleetOptions = {
  readonly modems: number;
  /** Each modem sends this many reports, one a second. */
  readonly messages: number;
  readonly seed: number;
  /** `output` has every event of every modem. */
  readonly verbose?: boolean;
  /** This share of the messages has faults, over all kinds of faults together. */
  readonly faultPercent: number;
};

/** Starts two processes of devices, and room for a fleet on one address that downloads from this machine. */
export const startForFleets = (keepIn?: string, processes?: Processes): Promise<Installation> =>
  startInstallation({
    processes,
    ...(keepIn !== undefined && { dataDir: path.join(keepIn, 'data'), keepData: true }),
    args: ['--no-demo', '--devices', '2'],
    env: { SCOUT_MAX_CONNECTIONS_PER_ADDRESS: '20000', EGRESS_ALLOWED_RANGES: '127.0.0.0/8' },
  });

/** Runs `catchment simulate fleet` on an installation, modems spread over both processes of devices. */
export class Fleet {
  readonly #options: FleetOptions;
  readonly #child: ChildProcess;
  readonly #folder: string;
  readonly #exit: Promise<unknown>;
  output = '';

  private constructor(options: FleetOptions, child: ChildProcess, folder: string) {
    this.#options = options;
    this.#child = child;
    this.#folder = folder;
    this.#exit = once(child, 'close');
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk) => {
        this.output += chunk;
      });
  }

  static async start(installation: Installation, options: FleetOptions): Promise<Fleet> {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'catchment-fleet-'));
    const [first, second] = [await installation.listener('scout'), await installation.listener('scout', 'devices-2')];
    const percent = String(options.faultPercent / FAULTS.length);
    const args = [
      'simulate',
      'fleet',
      '--register',
      '--modems',
      String(options.modems),
      '--interval',
      '1',
      '--keys-file',
      path.join(folder, 'keys.jsonl'),
      '--journal',
      path.join(folder, 'journal.jsonl'),
      '--port',
      String(first),
      '--replica',
      `127.0.0.1:${second}`,
      '--seed',
      String(options.seed),
      ...(options.verbose ? ['--verbose'] : []),
      '--messages',
      String(options.messages),
      ...FAULTS.flatMap((fault) => [fault, percent]),
    ];
    const { url, key } = installation.api;
    return new Fleet(options, catchment(args, { CATCHMENT_URL: url, CATCHMENT_KEY: key }), folder);
  }

  /** Waits until all modems are registered, and all are connected but those that are disconnected just now. */
  async connected(): Promise<void> {
    const { modems } = this.#options;
    const isMost = () =>
      [...this.output.matchAll(/ (\d+) of \d+ connected/g)].some(([, count]) => Number(count) >= modems * 0.9);
    await until(
      () => {
        if (this.#child.exitCode !== null) throw new Error(this.output);
        return isMost();
      },
      { everyMs: 250, what: 'the modems are connected' },
    );
  }

  /** Waits for the end. @returns the exit code */
  async ended(limitMs: number): Promise<number | null> {
    const limit = setTimeout(() => this.#child.kill('SIGINT'), limitMs);
    await this.#exit;
    clearTimeout(limit);
    return this.#child.exitCode;
  }

  async modems(): Promise<{ key: string; deviceId: string; sourceId: string }[]> {
    const text = await readFile(path.join(this.#folder, 'keys.jsonl'), 'utf8');
    return text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  }

  /** Reads what the journal says. */
  async journal(): Promise<FleetJournal> {
    const journal = new FleetJournal();
    const lines = createInterface({ input: createReadStream(path.join(this.#folder, 'journal.jsonl')) });
    for await (const line of lines) journal.add(JSON.parse(line));
    return journal;
  }

  /** Leaves the output, the keys and the journal in a folder. */
  async keep(folder: string): Promise<void> {
    await cp(this.#folder, folder, { recursive: true });
    await writeFile(path.join(folder, 'fleet.log'), this.output);
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      this.#child.kill('SIGKILL');
      await this.#exit;
    }
    await rm(this.#folder, { recursive: true, force: true });
  }
}

const FAULTS = ['--drops', '--duplicates', '--partials', '--silences', '--clock-jumps'] as const;

type JournalLine = {
  readonly key: string;
  readonly seq: number;
  readonly atMs: number;
  readonly sent?: readonly (readonly [ts: string, values: Record<string, unknown>])[];
  readonly end?: 'acknowledged' | 'refused';
};
type Series = Map<string, Map<number, unknown>>;

/** Records what each modem has sent, and when it was answered. */
class FleetJournal {
  /** Values by key, series and time. */
  readonly sent = new Map<string, Series>();
  readonly answeredMs = new Map<string, { sentMs: number; answeredMs: number }[]>();
  readonly counts = { sent: 0, acknowledged: 0, refused: 0 };
  readonly #sentMs = new Map<string, number>();

  add({ key, seq, atMs, sent, end }: JournalLine): void {
    if (sent) {
      this.counts.sent += 1;
      this.#sentMs.set(`${key} ${seq}`, atMs);
      const series: Series = this.sent.get(key) ?? new Map();
      this.sent.set(key, series);
      for (const [ts, values] of sent)
        for (const [name, value] of Object.entries(values))
          series.set(name, (series.get(name) ?? new Map()).set(Date.parse(ts), value));
    }
    if (!end) return;
    this.counts[end] += 1;
    const sentMs = this.#sentMs.get(`${key} ${seq}`) ?? Number.NaN;
    this.#sentMs.delete(`${key} ${seq}`);
    const answers = this.answeredMs.get(key) ?? [];
    this.answeredMs.set(key, answers);
    answers.push({ sentMs, answeredMs: atMs });
  }

  /** Returns seconds after a kill until each modem that went on had a later report acknowledged. */
  secondsToRecover(atMs: number): number {
    const firsts = [...this.answeredMs.values()].flatMap(
      (answers) => answers.find(({ sentMs }) => sentMs >= atMs)?.answeredMs ?? [],
    );
    return (Math.max(atMs, ...firsts) - atMs) / 1_000;
  }
}

/** Kills one after the other, evenly over the time, in an order that the seed decides. */
export async function killInTurns(
  installation: Installation,
  plan: { readonly names: readonly Victim[]; readonly overMs: number; readonly seed: number },
  onKill: (kill: Kill) => void = () => {},
): Promise<Kill[]> {
  const random = seededRandom(plan.seed);
  const order = plan.names.map((name) => ({ name, at: random() })).sort((a, b) => a.at - b.at);
  const kills: Kill[] = [];
  const beganMs = Date.now();
  for (const [n, { name }] of order.entries()) {
    const dueMs = beganMs + ((n + random() * 0.5) * plan.overMs) / order.length;
    await delay(Math.max(0, dueMs - Date.now()));
    const kill = { name, atMs: Date.now() };
    kills.push(kill);
    onKill(kill);
    await installation.kill(name);
  }
  return kills;
}

type Comparison = {
  /** This many values of reported series were stored. */
  readonly stored: number;
  /** Sent, and not there. */
  readonly missing: readonly string[];
  /** Nobody sent these, or they came twice. */
  readonly surplus: readonly string[];
  readonly different: readonly string[];
};

/** Reads once more where the connection that was kept from an earlier request has been closed meanwhile. */
const read = (api: Api, path: string): Promise<Answer> => api.get(path).catch(() => api.get(path));

const MARGIN_MS = 2 * 86_400_000;

/** Compares what each modem has sent with what the API has, every value. */
export async function compareStored(
  api: Api,
  modems: readonly { key: string; sourceId: string }[],
  journal: FleetJournal,
): Promise<Comparison> {
  const comparison = { stored: 0, missing: [] as string[], surplus: [] as string[], different: [] as string[] };
  for (const { key, sourceId } of modems) {
    const sent = journal.sent.get(key) ?? new Map();
    const parameters = (await read(api, `/nodes?filter=${encodeURIComponent(`parentId($eq:${sourceId})`)}`)).json as {
      _id: string;
      series: string;
    }[];
    for (const [series, values] of sent) {
      const [parameter, ...more] = parameters.filter((node) => node.series === series);
      const what = `${key} ${series}`;
      if (more.length > 0) comparison.surplus.push(`${what}: ${1 + more.length} parameters`);
      if (!parameter) comparison.missing.push(`${what}: no parameter`);
      else await compareParameter(api, parameter._id, what, values, comparison);
    }
  }
  return comparison;
}

async function compareParameter(
  api: Api,
  id: string,
  what: string,
  values: ReadonlyMap<number, unknown>,
  found: { stored: number; missing: string[]; surplus: string[]; different: string[] },
): Promise<void> {
  const times = [...values.keys()];
  const [first, last] = [times.reduce((a, b) => Math.min(a, b)), times.reduce((a, b) => Math.max(a, b))];
  const range = `startTime=${new Date(first - MARGIN_MS).toISOString()}&endTime=${new Date(last + MARGIN_MS).toISOString()}`;
  const { data } = (await read(api, `/nodes/${id}/historic?${range}`)).json as {
    data: { ts: string; f: { 0: { v: unknown } } }[];
  };
  const seen = new Set<number>();
  for (const { ts, f } of data) {
    const timeMs = Date.parse(ts);
    found.stored += 1;
    if (seen.has(timeMs) || !values.has(timeMs)) found.surplus.push(`${what} ${ts}`);
    else if (values.get(timeMs) !== f[0].v) found.different.push(`${what} ${ts}: ${values.get(timeMs)} → ${f[0].v}`);
    seen.add(timeMs);
  }
  for (const timeMs of times) if (!seen.has(timeMs)) found.missing.push(`${what} ${new Date(timeMs).toISOString()}`);
}

/** Counts the sources by `currentStatus`. */
export async function countStatuses(
  api: Api,
  modems: readonly { sourceId: string }[],
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { sourceId } of modems) {
    const { currentStatus } = (await read(api, `/nodes/${sourceId}`)).json;
    counts[currentStatus] = (counts[currentStatus] ?? 0) + 1;
  }
  return counts;
}
