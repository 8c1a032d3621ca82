// A file comes to a source as a person would have set it up, and is compared with what another program reads of it.
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { createGunzip } from 'node:zlib';
import { until } from '@catchment/testkit';
import { type Api, MODEL } from '../api.ts';
import type { Installation } from '../installation.ts';
import { outlineDifferences } from '../outlines.ts';
import { type Read, readAll } from '../read-records.ts';
import { type DataFile, dataFileOf, type Expected, expectedOf, refusalOf } from './files.ts';
import type { Fetching, PlaceName, Places, Pushing } from './places.ts';

export type Acquired = {
  readonly file: string;
  readonly place: PlaceName;
  readonly parameters: number;
  readonly records: number;
  readonly values: number;
  readonly seconds: number;
  /** The source came to its parser like this. */
  readonly parser: string;
};

const DEADLINE_MS = 600_000;
/** The last record can be read within this time. */
const COMPARED_MS = 120_000;
const SAMPLE_BYTES = 256 * 1024;
const SHOWN = 5;

export type Site = { readonly installation: Installation; readonly locationId: string; readonly places: Places };

let sources = 0;

/** @returns what was compared. @throws Error naming what differs */
export async function acquire(site: Site, folder: string, file: string, place: PlaceName): Promise<Acquired> {
  const { api } = site.installation;
  const full = path.join(folder, file);
  const refusal = refusalOf(file);
  const known = refusal ? undefined : await dataFileOf(folder, file);
  // Comparing millions of values has held up the events of sockets: those that the server has closed meanwhile must be known.
  await new Promise((resolve) => setImmediate(resolve));
  const began = performance.now();
  const sourceId = await makeSource(site, full, known, place);
  const parser = known ? await setParser(site, sourceId, full, known) : 'none';
  await deliver(site, full, known, { sourceId, place });
  const result = { file, place, parser, seconds: (performance.now() - began) / 1000 };
  if (!known) {
    // A file without bytes is no file to some transports.
    if ((await stat(full)).size > 0) await untilRefused(site, sourceId, refusal ?? /./);
    const { json } = await api.get(`/nodes?filter=parentId($eq:${sourceId})&attr=_id`);
    if (json.length > 0) throw new Error(`${json.length} parameters were made of a file that cannot be read`);
    return { ...result, parameters: 0, records: 0, values: 0 };
  }
  const expected = await expectedFor(full, known);
  const { read, values } = await untilStored(site, sourceId, expected);
  const seconds = (performance.now() - began) / 1000;
  const times = new Set([...read.values()].flatMap((records) => [...records.keys()]));
  return { ...result, seconds, parameters: read.size, records: times.size, values };
}

let last: { file: string; expected: Expected } | undefined;
/** The same file comes several times, one after the other. */
async function expectedFor(file: string, { reading }: DataFile): Promise<Expected> {
  if (last?.file !== file) last = { file, expected: await expectedOf(file, reading) };
  return last.expected;
}

async function makeSource(
  { installation: { api }, locationId, places }: Site,
  file: string,
  known: DataFile | undefined,
  place: PlaceName,
): Promise<string> {
  sources += 1;
  const at = places[place];
  if (!at) throw new Error(`${place} is not open`);
  const isGpx = file.endsWith('.gpx');
  const source = {
    _class: `${MODEL}.source.data.${isGpx ? 'Converter' : 'TextParser'}`,
    name: `${sources} ${path.basename(file).replaceAll('_', ' ')} ${place}`,
    parentId: locationId,
    ...(isGpx && { converterId: 'gpx' }),
    ...known?.written?.source,
    ...('offer' in at ? await at.offer(file, `source-${sources}`) : { transport: at.transport }),
  };
  return (await api.create(source))._id;
}

/** Sets the parser by the proposal of the preview, or by hand. */
async function setParser({ installation: { api } }: Site, sourceId: string, file: string, { kind, written }: DataFile) {
  if (kind === 'GPX') return 'converter';
  let parser = written?.parser;
  if (!parser) {
    const sampleBase64 = (await beginningOf(file)).toString('base64');
    const { status, json, text } = await api.post(`/nodes/${sourceId}/parser/preview`, { sampleBase64 });
    if (status !== 200) throw new Error(`the preview answered ${status}: ${text}`);
    parser = json.proposal.parser as object;
  }
  const { status, text } = await api.put(`/nodes/${sourceId}`, { parser });
  if (status !== 200) throw new Error(`the parser was answered ${status}: ${text}`);
  return written ? `by hand: ${written.why}` : 'proposed';
}

async function beginningOf(file: string): Promise<Buffer> {
  if (!file.endsWith('.gz')) return (await readFile(file)).subarray(0, SAMPLE_BYTES);
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of createReadStream(file).pipe(createGunzip())) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= SAMPLE_BYTES) break;
  }
  return Buffer.concat(chunks).subarray(0, SAMPLE_BYTES);
}

async function deliver(
  { installation: { api }, places }: Site,
  file: string,
  known: DataFile | undefined,
  { sourceId, place }: { sourceId: string; place: PlaceName },
): Promise<void> {
  const at = places[place] as Fetching | Pushing;
  if ('offer' in at) {
    const { status, text } = await api.post(`/nodes/${sourceId}/operate/acquire`);
    if (status !== 202) throw new Error(`acquire was answered ${status}: ${text}`);
    return;
  }
  const { json } = await api.get(`/nodes/${sourceId}`);
  await at.bring(file, json.transport.key, (known?.reading.data ?? 2) - 1);
}

async function untilRefused({ installation: { api } }: Site, sourceId: string, refusal: RegExp): Promise<void> {
  const result = await until(
    async () => (await api.get(`/nodes/${sourceId}`)).json.alarms.dataAlarm.status.message as string | null,
    { deadlineMs: DEADLINE_MS, everyMs: 200, what: 'the source has a dataAlarm' },
  );
  if (!refusal.test(result)) throw new Error(`the dataAlarm says: ${result}`);
}

async function isRead(api: Api, sourceId: string): Promise<boolean> {
  const { json: events } = await api.get(`/nodes/${sourceId}/events`);
  const { json: source } = await api.get(`/nodes/${sourceId}`);
  return events.some(({ message }: Event) => message.startsWith('Acquired')) && source.currentStatus === 'IDLE';
}
type Event = { readonly message: string };

/** Waits until as many records as expected can be read, and compares each, and what a chart of them shows. */
async function untilStored({ installation: { api } }: Site, sourceId: string, { parameters }: Expected) {
  const names = Object.keys(parameters);
  if (names.length === 0)
    await until(() => isRead(api, sourceId), { deadlineMs: DEADLINE_MS, everyMs: 200, what: 'the file is read' });
  const expected = Object.values(parameters);
  const wanted = expected.reduce((sum, { records }) => sum + Object.keys(records).length, 0);
  const times = new Set(expected.flatMap(({ records }) => Object.keys(records)));
  let newest = Number.NEGATIVE_INFINITY;
  for (const ms of times) newest = Math.max(newest, Number(ms));
  const nodes = await until(
    async () => {
      const of = `/nodes?filter=parentId($eq:${sourceId})&attr=_id,_class,name,series,units,currentTime`;
      const json = (await api.get(of)).json as Node[];
      const isLast = json.some(({ currentTime }) => currentTime && Date.parse(currentTime) >= newest);
      return json.length >= names.length && (isLast || wanted === 0) && json;
    },
    { deadlineMs: DEADLINE_MS, everyMs: 200, what: `the ${names.length} parameters have their last records` },
  );
  const found = describe(nodes, parameters);
  const series = new Map(nodes.map(({ series, _id }) => [series, _id]));
  const compared = async () => {
    const read = await readAll(api, series);
    return { read, differences: differences(parameters, read) };
  };
  let last = await compared();
  // A file with a time more than once is written in several steps.
  await until(
    async () => {
      if (last.differences.length > 0) last = await compared();
      return last.differences.length === 0;
    },
    { deadlineMs: COMPARED_MS, everyMs: 1000 },
  ).catch(() => {});
  const { read } = last;
  found.push(...last.differences);
  const isOfNumbers = ({ _class }: Node) => _class.endsWith(CLASSES.NUMBER);
  const ofNumbers = new Map(nodes.filter(isOfNumbers).map(({ series, _id }) => [series, _id]));
  found.push(...(await outlineDifferences(api, ofNumbers, read)));
  if (found.length > 0) throw new Error(`${found.length} differences:\n${found.slice(0, SHOWN).join('\n')}`);
  return { read, values: wanted };
}

type Node = {
  readonly _id: string;
  readonly _class: string;
  readonly name: string;
  readonly series: string;
  readonly units: string | null;
  readonly currentTime: string | null;
};

const CLASSES = { NUMBER: 'NumberPoint', BOOLEAN: 'NumberPoint', TEXT: 'TextPoint', TIME: 'TimePoint' };

/** Differences of the parameters themselves. */
function describe(nodes: readonly Node[], parameters: Expected['parameters']): string[] {
  const found: string[] = [];
  for (const { series } of nodes) if (!parameters[series]) found.push(`${series}: there is no such column`);
  for (const [name, { type, units }] of Object.entries(parameters)) {
    const node = nodes.find(({ series }) => series === name);
    if (!node) found.push(`${name}: has no parameter`);
    else {
      if (type && !node._class.endsWith(`.${CLASSES[type]}`)) found.push(`${name}: is a ${node._class}, not ${type}`);
      if ((node.units ?? '') !== units) found.push(`${name}: has the units '${node.units}', not '${units}'`);
    }
  }
  return found;
}

const plain = (value: unknown): unknown => {
  if (typeof value === 'boolean') return value ? 1 : 0;
  return typeof value === 'object' && value !== null && 'ms' in value ? value.ms : value;
};

/** Lists every value that is not as expected, or is not expected at all. */
function differences(parameters: Expected['parameters'], read: Read): string[] {
  const found: string[] = [];
  for (const [name, { records, quality }] of Object.entries(parameters)) {
    const own = read.get(name) ?? new Map();
    for (const [ms, value] of Object.entries(records)) {
      const got = own.get(Number(ms));
      const at = () => `${name} at ${new Date(Number(ms)).toISOString()}`;
      if (got?.v !== plain(value)) found.push(`${at()}: ${got?.v}, not ${plain(value)}`);
      else if (got?.q !== quality[ms]) found.push(`${at()}: has the quality ${got?.q}, not ${quality[ms]}`);
    }
    for (const ms of own.keys()) {
      if (records[ms] === undefined) found.push(`${name} at ${new Date(ms).toISOString()}: more than the file has`);
    }
  }
  return found;
}
