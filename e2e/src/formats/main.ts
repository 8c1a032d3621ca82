// `npm run test:formats` has each format of records opened by readers that others wrote.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { FORMAT_READERS, pythonEnvironment } from '@catchment/testkit';
import { type Api, MODEL } from '../api.ts';
import { startInstallation } from '../installation.ts';

const HELP = `npm run test:formats -- [options]

Starts Catchment with data of its own, reads it in every format by libraries of others (pyarrow, pandas, dataretrieval, owslib,
covjson-pydantic; readr of R) and compares what they found with the records that were written. Needs Python 3 with venv; its packages go
into node_modules/.cache/python-formats. R is left out where it is not installed; root on Debian and Ubuntu gets it (r-cran-readr).

  --help
`;
const HERE = import.meta.dirname;
const NAME = 'Pegel "Süd" <1> & \'2\' 🌊';
const MINUTE_MS = 60_000;
/** Clocks in Sydney go back at 16:00 UTC of this day: an hour comes twice. */
const FIRST_MS = Date.UTC(2024, 3, 6, 14, 0);
const RECORDS = 240;

const at = (n: number): string => new Date(FIRST_MS + n * MINUTE_MS).toISOString();

/** Writes numbers with gaps and holes, qualities, annotations; fewer texts and times; a series without records. */
async function write(api: Api): Promise<Record<string, string>> {
  const { locationId, sourceId } = await api.createSite();
  await api.put(`/nodes/${locationId}`, { name: NAME, customId: 'site-1' });
  await api.put(`/nodes/${locationId}/historic/now`, { value: { $coords: [-43.5, 172.6] }, timestamp: at(0) });
  const make = async (kind: string, name: string, more = {}) =>
    (await api.create({ _class: `${MODEL}.point.${kind}`, name, parentId: sourceId, ...more }))._id;
  const ids = {
    number: await make('NumberPoint', NAME, { units: 'm³/s', multiplier: 0.1 }),
    text: await make('TextPoint', 'Note'),
    time: await make('TimePoint', 'Serviced'),
    empty: await make('NumberPoint', 'Empty'),
  };
  const number = Array.from({ length: RECORDS }, (_, n) => ({
    ts: at(n),
    f: {
      0: {
        ...(n % 10 !== 9 && { v: n === 5 ? 1e21 : n / 3 }),
        ...((n % 10 === 9 || n % 4 === 0) && { q: 150 + (n % 4) }),
        ...(n % 50 === 0 && { a: `${NAME}, ${n}` }),
      },
    },
  })).filter((_, n) => n < 100 || n > 120);
  const few = (values: readonly unknown[]) => values.map((v, n) => ({ ts: at(n * 7), f: { 0: { v } } }));
  const texts = few(['wet', NAME, '', '007', 'NA', '1e5']);
  const times = few(['2024-01-02T03:04:05.678Z', '1969-12-31T23:59:59.999Z'].map((text) => ({ $time: text })));
  const data = { number, text: texts, time: times };
  for (const [kind, rows] of Object.entries(data)) {
    const answer = await api.put(`/nodes/${ids[kind as keyof typeof data]}/historic`, { docType: 'jts', data: rows });
    if (answer.status !== 202) throw new Error(`the write of ${kind} answered ${answer.status}: ${answer.text}`);
  }
  return ids;
}

async function run(program: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
    process.stdout.write(chunk);
  });
  const [code] = (await Promise.race([once(child, 'close'), once(child, 'error')])) as [unknown];
  if (code !== 0) output += `FAULT ${path.basename(args[0] ?? '')} ended with ${String(code)}\n`;
  return output;
}

async function hasR(): Promise<boolean> {
  const works = async () => (await run('Rscript', ['-e', 'library(readr)'], {})) === '';
  if (await works().catch(() => false)) return true;
  if (process.getuid?.() !== 0) return false;
  await run('apt-get', ['install', '-y', '-q', '--no-install-recommends', 'r-base-core', 'r-cran-readr'], {});
  return works().catch(() => false);
}

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { help: { type: 'boolean', default: false } } });
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const python = await pythonEnvironment('formats', FORMAT_READERS);
  const withR = await hasR();
  const installation = await startInstallation({ args: ['--no-demo'] });
  let output = '';
  try {
    const { api, url } = installation;
    const env = { URL: `${url}/api/v1`, KEY: api.key, FROM: at(0), TO: at(RECORDS), ...(await write(api)) };
    output += await run(python, [path.join(HERE, 'read.py')], env);
    output += withR ? await run('Rscript', [path.join(HERE, 'read.R')], env) : 'FAULT R with readr is not installed\n';
  } finally {
    await installation.stop();
  }
  const count = (word: string) => output.split('\n').filter((line) => line.startsWith(word)).length;
  const failed = count('FAULT ');
  process.stdout.write(`${count('ok ')} passed, ${failed} failed\n`);
  return failed === 0 ? 0 : 1;
}

process.exitCode = await main();
