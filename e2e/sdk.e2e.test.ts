import { Client, type Column, type Table } from '@catchment/client';
import { seedOf, until } from '@catchment/testkit';
import fc from 'fast-check';
import { MODEL, unique } from './src/api.ts';
import { type Installation, startInstallation } from './src/installation.ts';

/** `npm run test:sdk` tries more. */
const EXAMPLES = Number(process.env.CATCHMENT_EXAMPLES ?? 5);

let installation: Installation;
let client: Client;
let sourceId: string;
beforeAll(async () => {
  installation = await startInstallation();
  const { url, key } = installation.api;
  client = new Client({ url, key });
  ({ sourceId } = await installation.api.createSite(unique('TypeScript')));
});
afterAll(() => installation?.stop());

const cells = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const text = fc
  .string({ unit: 'binary', maxLength: 40 })
  .filter((sample) => sample.isWellFormed() && !sample.includes('\0'));
const time = fc.integer({ min: Date.parse('1800-01-01'), max: Date.parse('9998-12-31') }).map((ms) => new Date(ms));
/** A row has its time around the end of summer time, and what the columns have. */
const row = fc.tuple(
  fc.integer({ min: Date.parse('2024-10-26T22:00Z'), max: Date.parse('2024-10-27T04:00Z') }),
  cells(fc.double({ noNaN: true, noDefaultInfinity: true })),
  cells(fc.integer({ min: 0, max: 65_535 })),
  cells(text.filter((cell) => cell.trim() !== '')),
  cells(text),
  cells(time),
);
const rows = fc.uniqueArray(row, { minLength: 1, maxLength: 12, selector: ([ms]) => ms });

test('what was written is read: values, gaps, qualities, annotations, texts, times, around a change of the clock', async () => {
  await fc.assert(
    fc.asyncProperty(rows, async (given) => {
      const kept = given.filter(([, ...cellsOfRow]) => cellsOfRow.some((cell) => cell !== undefined));
      const nodes = await makeSeries();
      await client.historic.write(nodes.source, tableOf(['level', 'note', 'seen'], given), { wait: 'readable' });
      const references = [nodes.level, nodes.note, nodes.seen];
      const wanted = tableOf(
        references,
        kept.toSorted(([a], [b]) => a - b),
      );
      const found = await readAll(references);
      expect(found.times).toEqual(wanted.times);
      for (const [n, { values, quality, annotations }] of wanted.columns.entries())
        expect(found.columns[n]).toMatchObject({ values, quality, annotations });
      const [firstMs, nextMs] = found.times;
      if (firstMs === undefined || nextMs === undefined) return;
      // The start is included, the end is not.
      const within = await client.historic.read(references, { start: firstMs, end: nextMs, tz: 'Europe/Berlin' });
      expect(within.times).toEqual([firstMs]);
    }),
    { numRuns: EXAMPLES, seed: seedOf('SDK_SEED') },
  );
});

/** Waits for the first one that a stream gives of a kind: what happened before may still be on its way. */
async function firstOf<T>(stream: AsyncIterable<T>, isWanted: (message: T) => boolean): Promise<T> {
  for await (const message of stream) if (isWanted(message)) return message;
  throw new Error('the stream has ended');
}

test('events and nodes are followed, changes are reported, lists are whole, errors have their kind', async () => {
  const { level } = await makeSeries();
  const stop = new AbortController();
  const events = client.events.follow({ types: ['CONFIGURATION'], signal: stop.signal });
  const nodes = client.nodes.follow({ attr: '_id,name', signal: stop.signal });
  const next = Promise.all([
    firstOf(events, ({ event }) => event.message?.includes('Level') === true),
    firstOf(nodes, (change) => change.kind === 'node' && change.node.name?.includes('Level') === true),
  ]);
  let isDone = false;
  void next.finally(() => (isDone = true));
  for (let n = 0; !isDone; n += 1) {
    await client.nodes.update(level, { name: `Level ${n}` });
    await Promise.race([next, new Promise((resolve) => setTimeout(resolve, 100))]);
  }
  await next;
  stop.abort();

  const ms = await client.historic.writeNow(level, { value: 1.25, quality: 100, annotation: 'by hand' });
  await until(async () => (await readAll([level], ms)).times.length === 1, { what: 'the record can be read' });
  const changes = await Array.fromAsync(client.historic.changes(level, { since: ms - 600_000 }));
  expect(changes).toMatchObject([{ node: level, timeMs: ms, value: 1.25, quality: 100, annotation: 'by hand' }]);

  const listed = await Array.fromAsync(client.nodes.list({ attr: '_id', filter: '_class($match:.point.)' }));
  expect(listed).toContainEqual({ _id: level });
  const stranger = new Client({ url: installation.url, key: 'x'.repeat(40) });
  await expect(stranger.nodes.get(level)).rejects.toMatchObject({ kind: 'authentication' });
  await expect(client.nodes.get('f'.repeat(24))).rejects.toMatchObject({
    kind: 'not_found',
    requestId: expect.any(String),
  });
  await expect(client.historic.read(level, { limit: 1, qualityExcluded: 'UGLY' })).rejects.toMatchObject({
    argument: 'qualityExcluded',
  });
});

/** Makes three parameters of a new source. */
async function makeSeries() {
  const source = await client.nodes.create({
    _class: `${MODEL}.source.data.Jts`,
    name: unique('S'),
    parentId: await locationOf(),
  });
  const make = async (kind: string, name: string) => {
    const made = await client.nodes.create({
      _class: `${MODEL}.point.${kind}Point`,
      name,
      parentId: source._id,
    } as never);
    return String(made._id);
  };
  return {
    source: String(source._id),
    level: await make('Number', 'level'),
    note: await make('Text', 'note'),
    seen: await make('Time', 'seen'),
  };
}

const locationOf = async (): Promise<string> =>
  String((await client.nodes.get(sourceId, { attr: 'parentId' })).parentId);

type Row = readonly [number, ...(readonly unknown[])];
function tableOf(labels: readonly string[], given: readonly Row[]): Table {
  const at = (n: number) => given.map((row) => row[n]);
  const nothing = given.map(() => undefined);
  const [level = '', note = '', seen = ''] = labels;
  const flags = { quality: at(2) as Column['quality'], annotations: at(3) as Column['annotations'] };
  return {
    times: given.map(([ms]) => ms),
    columns: [
      { label: level, dataType: 'NUMBER', values: at(1), ...flags },
      { label: note, dataType: 'TEXT', values: at(4), quality: nothing, annotations: nothing },
      { label: seen, dataType: 'TIME', values: at(5), quality: nothing, annotations: nothing },
    ],
  };
}

/** Two days of these nodes. */
const readAll = (nodes: readonly string[], start = Date.parse('2024-10-26T00:00Z')): Promise<Table> =>
  client.historic.read(nodes, { start, end: start + 86_400_000 * 2 });
