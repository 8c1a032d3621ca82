// `npm run fuzz -w e2e [-- --seed 1 --requests 5000]`: a separate Catchment is sent requests that Schemathesis makes of the API
// description. Ends with 0 when every answer was one that the description names, and none was of status 500 or above.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { startInstallation } from '../installation.ts';
import { providePython } from './python.ts';

const USAGE = `usage: npm run fuzz -w e2e [-- options]

Starts a Catchment with the demonstration, sends it requests made of its API description, and ends it.

  --seed <number>      which requests; the same seed makes the same ones, but for ids (default: 1)
  --requests <number>  how many (default: 5000)
  --help               this text

The first run installs Schemathesis (Python 3.10 or newer, pip) into node_modules/.cache.`;

type Line =
  | { kind: 'progress'; sent: number; total: number; at: string; seconds: number }
  | { kind: 'failure'; operation: string; cause: string; curl: string }
  | { kind: 'summary'; sent: number; operations: number; statuses: Record<string, number>; failures: number };

const began = performance.now();
const print = (text: string): void => void process.stdout.write(`${text}\n`);
const say = (line: string): void => print(`${((performance.now() - began) / 1000).toFixed(1).padStart(7)} s  ${line}`);

const options = readOptions();
if (options) process.exitCode = (await fuzz(options)) ? 0 : 1;

function readOptions(): { seed: number; requests: number } | undefined {
  try {
    const { values } = parseArgs({
      options: {
        seed: { type: 'string', default: '1' },
        requests: { type: 'string', default: '5000' },
        help: { type: 'boolean', default: false },
      },
    });
    const [seed, requests] = [Number(values.seed), Number(values.requests)];
    if (values.help) print(USAGE);
    else if (Number.isSafeInteger(seed) && seed >= 0 && Number.isSafeInteger(requests) && requests > 0)
      return { seed, requests };
    else throw new Error('--seed and --requests must be whole numbers');
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${USAGE}\n`);
    process.exitCode = 2;
  }
  return undefined;
}

/** @returns whether all answers were good */
async function fuzz({ seed, requests }: { seed: number; requests: number }): Promise<boolean> {
  const python = await providePython(say);
  say('Starting Catchment with its demonstration');
  // Rate limits would answer in place of the tested code.
  const installation = await startInstallation({ args: [], env: { RATE_LIMIT_REQUESTS: '0', LOG_LEVEL: 'warn' } });
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  try {
    say(`Sending ${requests} requests of seed ${seed} to ${installation.url}`);
    return await send(python, { url: installation.url, key: installation.api.key ?? '', seed, requests }, stop.signal);
  } finally {
    say('Stopping Catchment');
    await installation.stop();
  }
}

async function send(
  python: string,
  { url, key, seed, requests }: { url: string; key: string; seed: number; requests: number },
  signal: AbortSignal,
): Promise<boolean> {
  const script = path.join(import.meta.dirname, 'send-requests.py');
  const args = [script, '--url', url, '--seed', String(seed), '--requests', String(requests)];
  const child = spawn(python, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, CATCHMENT_KEY: key, PYTHONHASHSEED: '0' },
    signal,
  });
  child.on('error', () => undefined);
  let isGood = false;
  for await (const line of createInterface({ input: child.stdout })) isGood = report(line, requests) || isGood;
  const code = child.exitCode ?? ((await once(child, 'exit')) as [number | null])[0];
  if (code !== 0) say(`The requests ended early (${code ?? child.signalCode})`);
  return isGood && code === 0;
}

/** @returns whether it is a summary without failures */
function report(line: string, requests: number): boolean {
  let parsed: Line;
  try {
    parsed = JSON.parse(line) as Line;
  } catch {
    print(line);
    return false;
  }
  if (parsed.kind === 'progress') say(`${parsed.sent} of ${parsed.total} sent; ${parsed.at}`);
  if (parsed.kind === 'failure') say(`FAILED ${parsed.operation}: ${parsed.cause}\n           ${parsed.curl}`);
  if (parsed.kind !== 'summary') return false;
  const statuses = Object.entries(parsed.statuses).map(([status, count]) => `${status}: ${count}`);
  say(`${parsed.sent} requests to ${parsed.operations} operations; answers by status: ${statuses.join(', ')}`);
  say(parsed.failures === 0 ? 'All answers were as the description says' : `${parsed.failures} answers were not`);
  return parsed.failures === 0 && parsed.sent >= requests;
}
