import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { makerFiles, until } from '@catchment/testkit';
import { parse } from 'csv-parse/sync';
import { MODEL } from './src/api.ts';
import { catchment, type Installation, runCatchment, startInstallation } from './src/installation.ts';
import { readMakerFile } from './src/maker-files.ts';
import { outlineDifferences } from './src/outlines.ts';
import { type Read, readAll } from './src/read-records.ts';
import { type Expected, furtherFiles, OWN_FILES, type RealFile, valuesOf } from './src/real-files.ts';

const FOLDER = process.env.CATCHMENT_TEST_DATA;
/** This many are imported at a time; five imports of one account may wait. */
const MAKER_FILES_AT_ONCE = 4;
const MAKER_FILES_MIN = 100;
/** A file of the whole folder takes a minute or two on a busy machine. */
const LIMIT_MS = FOLDER ? 1_200_000 : 240_000;

let installation: Installation;
let locationId: string;
let folder: string;

beforeAll(async () => {
  installation = await startInstallation();
  folder = await mkdtemp(path.join(os.tmpdir(), 'catchment-real-files-'));
  ({ locationId } = await installation.api.createSite('Real files'));
});
afterAll(async () => {
  await installation?.stop();
  await rm(folder, { recursive: true, force: true });
});

let sources = 0;
const newSource = async (): Promise<string> => {
  sources += 1;
  const source = { _class: `${MODEL}.source.data.TextParser`, name: `File ${sources}`, parentId: locationId };
  return (await installation.api.create(source))._id;
};

const importing = ({ file, options }: RealFile, sourceId: string): string[] => [
  'import',
  file,
  '--node',
  sourceId,
  '--url',
  installation.url,
  '--key',
  installation.api.key,
  '--quiet',
  '--state',
  path.join(folder, `${sourceId}.json`),
  ...options,
];

async function seriesOf(sourceId: string): Promise<ReadonlyMap<string, string>> {
  const { json } = await installation.api.get(`/nodes?filter=parentId($eq:${sourceId})&attr=_id,series`);
  return new Map(json.map(({ _id, series }: { _id: string; series: string }) => [series, _id]));
}

/** Returns checked figures of one series; sums over the values in the order of time, texts by their lengths. */
function figuresOf(records: ReadonlyMap<number, number | string> | undefined) {
  const times = [...(records ?? [])].sort(([a], [b]) => a - b);
  const iso = (at: number) => (times.length === 0 ? null : new Date(times.at(at)?.[0] ?? 0).toISOString());
  let sum = 0;
  for (const [, value] of times) sum += typeof value === 'number' ? value : value.length;
  return { count: times.length, first: iso(0), last: iso(-1), sum };
}

const figures = (records: Expected) => new Map([...records].map(([key, record]) => [key, figuresOf(record)]));

function differences(expected: Expected, read: Expected): string[] {
  const found: string[] = [];
  for (const [key, records] of expected) {
    for (const [ms, value] of records) {
      const got = read.get(key)?.get(ms);
      if (got !== value && found.length < 5)
        found.push(`${key} at ${new Date(ms).toISOString()}: ${got}, not ${value}`);
    }
  }
  return found;
}

/** Returns whether the last line of the file can be read, which is written last. */
async function hasLast(expected: Expected, series: ReadonlyMap<string, string>): Promise<boolean> {
  let last = { key: '', ms: Number.NEGATIVE_INFINITY };
  for (const [key, records] of expected) {
    const ms = [...records.keys()].at(-1);
    if (ms !== undefined && ms > last.ms) last = { key, ms };
  }
  const at = new Date(last.ms).toISOString();
  const { json } = await installation.api.get(`/nodes/${series.get(last.key)}/historic?startTime=${at}&endTime=${at}`);
  return json.header.recordCount === 1;
}

async function expectExactly(expected: Expected, sourceId: string): Promise<void> {
  const series = await seriesOf(sourceId);
  expect([...series.keys()].sort()).toEqual([...expected.keys()].sort());
  const wanted = [...figures(expected).values()].reduce((sum, { count }) => sum + count, 0);
  const sizeOf = (read: Read) => [...read.values()].reduce((sum, { size }) => sum + size, 0);
  await until(() => hasLast(expected, series), {
    everyMs: 100,
    what: 'the last line can be read',
  });
  let read: Read = new Map();
  // The comparison below names records that are missing in the end.
  await until(async () => {
    read = await readAll(installation.api, series);
    return sizeOf(read) >= wanted;
  }).catch(() => {});
  const values = valuesOf(read);
  expect(differences(expected, values)).toEqual([]);
  expect(Object.fromEntries(figures(values))).toEqual(Object.fromEntries(figures(expected)));
  expect(await outlineDifferences(installation.api, series, read)).toEqual([]);
}

async function importsExactly(file: RealFile): Promise<void> {
  const sourceId = await newSource();
  const began = performance.now();
  const { code, output } = await runCatchment(importing(file, sourceId));
  expect([code, output]).toEqual([0, expect.stringContaining('Imported')]);
  const seconds = (performance.now() - began) / 1000;
  if (FOLDER) process.stderr.write(`${file.name}: ${file.lines} lines, ${Math.round(file.lines / seconds)} lines/s\n`);
  const expected = await file.expected();
  const times = new Set([...expected.values()].flatMap((records) => [...records.keys()]));
  expect(times.size).toBeLessThanOrEqual(file.lines);
  await expectExactly(expected, sourceId);
}

test.each(OWN_FILES)('$name is read back exactly', importsExactly, LIMIT_MS);

/** Kills an import on its way: one that is done before it is seen is begun anew, of another source. */
async function brokenOff(file: RealFile): Promise<{ sourceId: string; args: string[]; state: string }> {
  for (;;) {
    const sourceId = await newSource();
    const args = [...importing(file, sourceId), '--batch', '100'];
    const state = path.join(folder, `${sourceId}.json`);
    const child = catchment(args);
    const exit = once(child, 'exit');
    await until(async () => child.exitCode !== null || JSON.parse(await readFile(state, 'utf8')).records >= 500);
    child.kill('SIGKILL');
    const [code] = await exit;
    expect(code ?? 0).toBe(0);
    if (existsSync(state)) return { sourceId, args, state };
  }
}

test(
  'an import that is killed goes on: nothing is lost, nothing is there twice',
  async () => {
    const [file] = OWN_FILES.filter(({ name }) => name === 'USGS Dead Run') as [RealFile];
    const { sourceId, args, state } = await brokenOff(file);
    const { code, output } = await runCatchment(args);
    expect([code, output]).toEqual([0, expect.stringMatching(/^Goes on after \d+ records\.\s+Imported 8928 records/)]);
    expect(existsSync(state)).toBe(false);
    await expectExactly(await file.expected(), sourceId);
  },
  LIMIT_MS,
);

test(
  'what is exported is what was imported, and can be imported again',
  async () => {
    const [file] = OWN_FILES.filter(({ name }) => name.startsWith('NAB')) as [RealFile];
    const [sourceId, copyId] = [await newSource(), await newSource()];
    await runCatchment(importing(file, sourceId));
    await expectExactly(await file.expected(), sourceId);
    const output = path.join(folder, 'exported.csv');
    const connection = ['--url', installation.url, '--key', installation.api.key];
    const exported = await runCatchment([
      'export',
      '--node',
      sourceId,
      '--output',
      output,
      '--page',
      '500',
      ...connection,
    ]);
    expect(exported.output).toContain('Exported 864 rows of 1 series');
    const [, , , ...rows] = parse(await readFile(output, 'utf8')) as string[][];
    const values = new Map(rows.map(([time = '', value]) => [Date.parse(time), Number(value)]));
    expect(values).toEqual((await file.expected()).get('value'));
    await runCatchment(importing({ ...file, file: output, options: [] }, copyId));
    await expectExactly(await file.expected(), copyId);
  },
  LIMIT_MS,
);

test.each([['e2e/data/README.md', 'has no column with a timestamp']])(
  '%s is refused, and nothing is made of it',
  async (file, message) => {
    const sourceId = await newSource();
    const { code, output } = await runCatchment(
      importing({ ...(OWN_FILES[0] as RealFile), file, options: [] }, sourceId),
    );
    expect([code, output]).toEqual([1, expect.stringContaining(message)]);
    expect([...(await seriesOf(sourceId))]).toEqual([]);
  },
);

test('files as other makers write them: what the preview proposes is stored, and reads them by upload and by import', async () => {
  const files = makerFiles().filter(({ notYet }) => notYet === undefined);
  expect(files.length).toBeGreaterThanOrEqual(MAKER_FILES_MIN);
  const { api } = installation;
  const { locationId: place } = await api.createSite('Makers');
  const problems: Record<string, readonly string[]> = {};
  const next = files.values();
  const work = async () => {
    for (const file of next) {
      const found = await readMakerFile(api, place, file);
      if (found.length > 0) problems[file.name] = found;
    }
  };
  await Promise.all(Array.from({ length: MAKER_FILES_AT_ONCE }, work));
  expect(problems).toEqual({});
});

if (FOLDER)
  test.each(furtherFiles(FOLDER))('$name of CATCHMENT_TEST_DATA is read back exactly', importsExactly, LIMIT_MS);
