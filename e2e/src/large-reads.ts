// Many large answers are read at a time while connections age, processors are full and, optionally, services are restarted.
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import os from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { temporaryDataFolder, until } from '@catchment/testkit';
import { MODEL } from './api.ts';
import { type Installation, startInstallation } from './installation.ts';

const RECORDS = 100_000;
const RECORDS_PER_WRITE = 50_000;
const FIRST_MS = Date.UTC(2024, 0, 1);
const STEP_MS = 60_000;
/** Services' connections take new calls for this long, instead of a minute. */
const CONNECTION_AGE_SECONDS = 2;
/** A slow client takes this much, then rests for this long: an answer of 5 MB lasts longer than any period of pings. */
const SLOW = { bytes: 256 * 1024, restMs: 700 };
const RESTART_EVERY_MS = 8_000;

/** Outcome of a read. `status` 503 with an error body is visible; `broken` is a connection that ended before its answer. */
type Outcome =
  | { readonly kind: 'whole' }
  | { readonly kind: 'wrong'; readonly what: string }
  | { readonly kind: 'refused'; readonly status: number }
  | { readonly kind: 'broken'; readonly requestId: string; readonly error: string };

/** The gateway's log says in a line that an answer was broken off. */
type BrokenLine = { readonly requestId: string; readonly reason: string; readonly level: string };

export type Totals = {
  whole: number;
  wrong: string[];
  refused: number;
  /** These answers ended early, with the line about it in the gateway's log. */
  broken: { error: string; line: BrokenLine | undefined }[];
};

export type LargeReads = {
  /** @param options.slow how many of the readers are slow clients */
  run(options: {
    reads: number;
    readers: number;
    slow: number;
    busyProcesses?: number;
    restarts?: boolean;
    /** Asked before each read. */
    mayBegin?: () => boolean;
    onRead?: (done: number) => void;
  }): Promise<Totals>;
  stop(): Promise<void>;
};

/** Starts a separate installation with a series of 100 000 records. */
export async function openLargeReads(): Promise<LargeReads> {
  const dataDir = await temporaryDataFolder();
  const installation = await startInstallation({
    dataDir,
    // The services of a read are restarted, and the gateway is not.
    processes: 'each',
    env: {
      ROWS_PER_SOURCE_PER_DAY: '0',
      GRPC_CONNECTION_AGE_SECONDS: String(CONNECTION_AGE_SECONDS),
      // Reads may take as long as they need here.
      REQUEST_MAX_SECONDS: '600',
    },
  });
  const logFile = (await installation.running()).logFiles.gateway ?? '';
  try {
    const { read, close } = await reader(installation);
    return {
      run: async ({ reads, readers, slow, busyProcesses = 0, restarts = false, mayBegin = () => true, onRead }) => {
        const totals: Totals = { whole: 0, wrong: [], refused: 0, broken: [] };
        const ended = new AbortController();
        const restarting = restarts ? restartPeers(installation, ended.signal) : undefined;
        const busy = Array.from({ length: busyProcesses }, holdProcessor);
        let begun = 0;
        let done = 0;
        const readOn = async (isSlow: boolean) => {
          while (begun < reads && mayBegin()) {
            begun += 1;
            const outcome = await read(isSlow);
            if (outcome.kind === 'whole') totals.whole += 1;
            else if (outcome.kind === 'wrong') totals.wrong.push(outcome.what);
            else if (outcome.kind === 'refused') {
              totals.refused += 1;
              // The wait is what `Retry-After` says, only shorter.
              await delay(200);
            } else totals.broken.push({ error: outcome.error, line: await brokenLine(logFile, outcome.requestId) });
            done += 1;
            onRead?.(done);
          }
        };
        try {
          await Promise.all(Array.from({ length: readers }, (_, n) => readOn(n < slow)));
        } finally {
          ended.abort();
          for (const child of busy) child.kill('SIGKILL');
          await restarting;
        }
        return totals;
      },
      stop: async () => {
        close();
        await installation.stop();
      },
    };
  } catch (error) {
    await installation.stop();
    throw error;
  }
}

/** Writes the series, and answers what reads it: over kept connections, as programs do. */
async function reader({ api, url }: Installation) {
  const { sourceId } = await api.createSite();
  const { _id: id } = await api.create({ _class: `${MODEL}.point.NumberPoint`, name: 'Value', parentId: sourceId });
  const at = (n: number) => new Date(FIRST_MS + n * STEP_MS).toISOString();
  const range = `startTime=${at(0)}&endTime=${at(RECORDS)}`;
  for (let from = 0; from < RECORDS; from += RECORDS_PER_WRITE) {
    const data = Array.from({ length: RECORDS_PER_WRITE }, (_, n) => ({
      ts: at(from + n),
      f: { 0: { v: valueAt(from + n) } },
    }));
    // A busy machine refuses a write with 503: it is sent again, as any client does.
    await until(async () => {
      const answer = await api.put(`/nodes/${id}/historic`, { docType: 'jts', version: '1.0', data });
      if (answer.status !== 202) throw new Error(`the write answered ${answer.status}: ${answer.text}`);
      return true;
    });
  }
  const whole = await until(
    async () => {
      const { status, json, bytes } = await api.get(`/nodes/${id}/historic?${range}`);
      return status === 200 && json.header.recordCount === RECORDS && { json, bytes };
    },
    { everyMs: 500, what: 'all records can be read' },
  );
  const wrongAt = whole.json.data.findIndex((row: { f: { 0: { v: number } } }, n: number) => row.f[0].v !== valueAt(n));
  if (wrongAt >= 0) throw new Error(`record ${wrongAt} has another value than was written`);
  const expected = digest(whole.bytes);
  const agent = new Agent({ keepAlive: true });
  let asked = 0;
  const read = async (isSlow: boolean): Promise<Outcome> => {
    asked += 1;
    const requestId = `large-${process.pid}-${asked}`;
    const headers = { 'x-api-key': api.key, 'x-request-id': requestId };
    try {
      const { status, bytes } = await fetchWhole(
        `${url}/api/v1/nodes/${id}/historic?${range}`,
        { agent, headers },
        isSlow,
      );
      if (status === 503) return { kind: 'refused', status };
      if (status === 200 && digest(bytes) === expected) return { kind: 'whole' };
      return { kind: 'wrong', what: `status ${status}, ${bytes.length} bytes: ${bytes.subarray(0, 200)}` };
    } catch (error) {
      return { kind: 'broken', requestId, error: (error as NodeJS.ErrnoException).code ?? String(error) };
    }
  };
  return { read, close: () => agent.destroy() };
}

const valueAt = (n: number): number => (n * 7919) % 1_000;
const digest = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

async function fetchWhole(url: string, options: { agent: Agent; headers: Record<string, string> }, isSlow: boolean) {
  const request = get(url, options);
  const [response] = await once(request, 'response');
  const chunks: Buffer[] = [];
  let taken = 0;
  for await (const chunk of response) {
    chunks.push(chunk);
    taken += chunk.length;
    if (isSlow && taken >= SLOW.bytes) {
      taken = 0;
      await delay(SLOW.restMs);
    }
  }
  return { status: response.statusCode as number, bytes: Buffer.concat(chunks) };
}

const holdProcessor = (): ChildProcess => spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' });
export const PROCESSORS = os.availableParallelism();

/** Stops, or kills, the services that take part in a read, one after the other; each is started again by its supervisor. */
async function restartPeers(installation: Installation, ended: AbortSignal): Promise<void> {
  for (let n = 0; ; n += 1) {
    await delay(RESTART_EVERY_MS, undefined, { signal: ended }).catch(() => {});
    if (ended.aborted) return;
    const name = n % 3 === 2 ? 'nodes' : 'historic';
    const pid = (await installation.pids())[name];
    if (pid) process.kill(pid, n % 2 === 0 ? 'SIGTERM' : 'SIGKILL');
  }
}

/** Log lines are written a moment after their event. */
async function brokenLine(logFile: string, requestId: string): Promise<BrokenLine | undefined> {
  const find = async () => {
    const log = await readFile(logFile, 'utf8');
    const line = log.split('\n').find((line) => line.includes(requestId) && line.includes('answer broken off'));
    return line && (JSON.parse(line) as BrokenLine);
  };
  return until(find).catch(() => undefined);
}
