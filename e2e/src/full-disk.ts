// `npm run test:full-disk -w e2e` runs an installation on a small volume that fills up, and has room again.
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { isRunning, type SmallVolume, smallVolume, until } from '@catchment/testkit';
import { type Answer, type Api, MODEL } from './api.ts';
import { startInstallation } from './installation.ts';
import { PROCESSES_HELP, type Processes, processesArgument } from './processes.ts';

const HELP = `npm run test:full-disk -w e2e -- [options]

Mounts a small volume in memory (as root), starts Catchment with its data there, fills the volume while records and other changes are written and
read, and takes what fills it away again. Ends with status 0 when the start ran on, every answer was a success or 503 with Retry-After,
it went on by itself, and every record that was answered 202 is stored. Elsewhere than as root it says that it cannot mount, and ends with 0.

  --megabytes <number> of the volume (900)
  --seconds <number>   for which it is full (40)
  --times <number>     that it is filled (2)
  ${PROCESSES_HELP}
  --help
`;
const FIRST_MS = Date.UTC(2024, 0, 1);
const BACK_LIMIT_MS = 240_000;

type Seen = { readonly what: string; readonly status: number; readonly retryAfter: string | null };

async function main(): Promise<number> {
  const text = { type: 'string' } as const;
  const options = {
    megabytes: text,
    seconds: text,
    times: text,
    processes: text,
    help: { type: 'boolean' },
  } as const;
  const { values } = parseArgs({ options });
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const processes = processesArgument(values.processes);
  await using volume = await smallVolume(Number(values.megabytes ?? 900));
  if (volume === undefined) {
    process.stdout.write('skipped: a volume can be mounted by root alone\n');
    return 0;
  }
  return await fillAndFree({ volume, processes }, Number(values.seconds ?? 40), Number(values.times ?? 2));
}

async function fillAndFree(
  { volume, processes }: { volume: SmallVolume; processes: Processes | undefined },
  seconds: number,
  times: number,
): Promise<number> {
  const beganMs = performance.now();
  const say = (line: string) =>
    process.stdout.write(`${((performance.now() - beganMs) / 1_000).toFixed(1).padStart(6)} s  ${line}\n`);
  const installation = await startInstallation({ dataDir: path.join(volume.folder, 'data'), processes });
  const faults: string[] = [];
  try {
    const { api } = installation;
    const { sourceId, locationId } = await api.createSite();
    const parameter = (await api.create({ _class: `${MODEL}.point.NumberPoint`, name: 'Value', parentId: sourceId }))
      ._id;
    const writer = new Writer(api, parameter, locationId);
    const start = (await installation.pids()).start ?? 0;
    await until(() => writer.isServed(), { deadlineMs: BACK_LIMIT_MS });
    for (let n = 1; n <= times; n += 1) {
      const free = await volume.fill();
      say('the volume is full');
      const seen = await writer.writeFor(seconds * 1_000);
      say(`answers meanwhile: ${summary(seen)}`);
      faults.push(...seen.filter(isFault).map((fault) => JSON.stringify(fault)));
      if (!isRunning(start)) faults.push('the start has ended');
      await free();
      say('there is room again');
      const freedMs = performance.now();
      await until(() => writer.isServed(), { deadlineMs: BACK_LIMIT_MS, everyMs: 250 });
      say(`writes, changes and reads succeed ${((performance.now() - freedMs) / 1_000).toFixed(1)} s later`);
    }
    await until(() => writer.isAllStored(), { deadlineMs: BACK_LIMIT_MS, everyMs: 500 });
    say(`all ${writer.accepted.size} records that were answered 202 are stored`);
  } catch (error) {
    faults.push(String(error));
  }
  if (faults.length > 0) process.stdout.write(`${installation.output()}\n`);
  await installation.stop();
  say(
    faults.length === 0
      ? 'no faults'
      : `${faults.length} faults, such as\n${[...new Set(faults)].slice(0, 20).join('\n')}`,
  );
  return faults.length === 0 ? 0 : 1;
}

/** Records, a change of a node, an event's list and a read, one after the other. */
class Writer {
  readonly accepted = new Set<number>();
  readonly #api: Api;
  readonly #parameter: string;
  readonly #location: string;
  #next = 0;

  constructor(api: Api, parameter: string, location: string) {
    this.#api = api;
    this.#parameter = parameter;
    this.#location = location;
  }

  async writeFor(ms: number): Promise<Seen[]> {
    const seen: Seen[] = [];
    const untilMs = performance.now() + ms;
    while (performance.now() < untilMs) {
      seen.push(...(await this.#round()));
      await delay(100);
    }
    return seen;
  }

  async isServed(): Promise<boolean> {
    return (await this.#round()).every(({ status }) => status < 300);
  }

  async isAllStored(): Promise<boolean> {
    const answer = await this.#read(1_000_000);
    const stored = new Set<number>(answer.json.data.map((row: { f: { 0: { v: number } } }) => row.f[0].v));
    return [...this.accepted].every((n) => stored.has(n));
  }

  async #round(): Promise<Seen[]> {
    const n = this.#next;
    this.#next += 1;
    const timestamp = new Date(FIRST_MS + n * 1_000).toISOString();
    const write = await seenOf(
      'write',
      this.#api.put(`/nodes/${this.#parameter}/historic/now`, { value: n, timestamp }),
    );
    if (write.status === 202) this.accepted.add(n);
    const name = `Location ${n}`;
    return [
      write,
      await seenOf('change', this.#api.put(`/nodes/${this.#location}`, { name })),
      await seenOf('node', this.#api.get(`/nodes/${this.#location}`)),
      await seenOf('records', this.#read(10)),
      await seenOf('events', this.#api.get(`/nodes/${this.#location}/events?limit=5`)),
    ];
  }

  #read(limit: number): Promise<Answer> {
    return this.#api.get(`/nodes/${this.#parameter}/historic?startTime=2024-01-01T00:00:00Z&limit=${limit}`);
  }
}

const seenOf = (what: string, answer: Promise<Answer>): Promise<Seen> =>
  answer.then(
    ({ status, headers }) => ({ what, status, retryAfter: headers.get('retry-after') }),
    (error) => ({ what: `${what}: ${error}`, status: 0, retryAfter: null }),
  );

const isFault = ({ status, retryAfter }: Seen): boolean =>
  !(status < 300 && status > 0) && !(status === 503 && retryAfter);

function summary(seen: readonly Seen[]): string {
  const counts = new Map<string, number>();
  for (const { what, status } of seen) counts.set(`${what} ${status}`, (counts.get(`${what} ${status}`) ?? 0) + 1);
  return [...counts]
    .map(([outcome, count]) => `${outcome} × ${count}`)
    .sort()
    .join(', ');
}

process.exitCode = await main();
