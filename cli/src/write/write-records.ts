import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { promisify } from 'node:util';
import { createGunzip, gzip } from 'node:zlib';
import type { Client } from '@catchment/client';
import { countOf } from '@catchment/number-format';
import { effectiveZone } from '@catchment/time';
import { isSource, type NamedNode, nodeNamed } from '../api/nodes-named.ts';
import { openClient } from '../api/open-client.ts';
import { openProgress } from '../api/progress.ts';
import { answer } from '../command-line/answer.ts';
import { PartlyDone, UsageError } from '../command-line/failure.ts';
import { interruptSignal } from '../command-line/interrupted.ts';
import { chooseColumns } from '../import/choose-columns.ts';
import type { ImportSource } from '../import/import-source.ts';
import type { Position } from '../import/import-state.ts';
import { sendRecords } from '../import/send-records.ts';
import { typeOf, typesOf } from '../import/series-types.ts';
import { textSource } from '../import/text-source.ts';
import { NEEDED_ZONE, withZones } from './needed-zone.ts';
import type { WriteOptions } from './write-options.ts';

/** The tries take about two minutes, in which a gateway that is being replaced is back: half a file is written already. */
const WRITE_TRIES = 8;
/** The server waits for this many seconds each time. */
const READABLE_SECONDS = 10;
const READABLE_ASKS = 12;

/** Writes the records of a CSV file. @throws PartlyDone that says what is written, where not all of it is */
export async function writeRecords(reference: string, file: string, options: WriteOptions): Promise<void> {
  const zone = options.tz === undefined ? NEEDED_ZONE : effectiveZone(options.tz, true, Date.now(), '--tz');
  const { client } = await openClient(options, { tries: WRITE_TRIES });
  const node = await nodeNamed(client, reference);
  const input = inputOf(file);
  const read = await textSource(
    input.bytes,
    {
      zone,
      nowMs: Date.now(),
      noValues: options.missing,
      adjust: await columnsOf(client, node, options),
    },
    options.strict,
  );
  const source = options.tz === undefined ? withZones(read) : read;
  const { columns } = source;
  const named = Object.values(columns) as readonly { readonly name: string }[];
  if (!isSource(node) && named.length > 1) throw severalColumns(node, named);
  const columnIndex = isSource(node) ? undefined : Number(Object.keys(columns)[0] ?? 0);
  const query = {
    writeMode: options.mode,
    notifyOn: options.notifyOn,
    ...(columnIndex !== undefined && { columnIndex }),
  };
  const signal = interruptSignal();
  const written = new Written();
  const progress = openProgress(0, options.quiet);
  try {
    await sendRecords({
      put: async (body) => written.took(await put(client, node, body, query, signal)),
      source: isSource(node) ? source : { ...source, columns: {} },
      state: written,
      from: { records: 0, values: 0 },
      batch: options.batch,
      progress,
      readBytes: input.readBytes,
      signal,
    });
  } catch (error) {
    if (written.requests === 0) throw error;
    // Many columns go in several requests.
    const done = written.position.records === 0 ? 'Some columns of the first records are written' : written.said();
    throw new PartlyDone(`${done}; then: ${(error as Error).message}`, { cause: error });
  } finally {
    progress.stop();
  }
  if (options.wait === 'readable') await untilReadable(client, written.positions, signal);
  report(node, written, source, options);
}

/** Counts what the API has taken. */
class Written {
  position: Position = { records: 0, values: 0 };
  requests = 0;
  readonly positions: string[] = [];

  took(position: string | undefined): void {
    this.requests += 1;
    if (position !== undefined) this.positions.push(position);
  }

  async save(position: Position): Promise<void> {
    this.position = position;
  }

  said(): string {
    const { records, values } = this.position;
    return `${countOf(records, 'record')} with ${countOf(values, 'value')} written`;
  }
}

function report(node: NamedNode, written: Written, source: ImportSource, options: WriteOptions): void {
  const refused = source.remarks();
  const { records, values } = written.position;
  const document = { node: node._id, records, values, requests: written.requests, refused };
  answer(options, document, () => `${written.said()} to ${node.name}, in ${countOf(written.requests, 'request')}.`);
  if (refused.length === 0) return;
  throw new PartlyDone(refused.join('\n'));
}

function severalColumns(node: NamedNode, columns: readonly { readonly name: string }[]): UsageError {
  const names = columns
    .map(({ name }) => name)
    .join(', ')
    .slice(0, 1000);
  return new UsageError(
    `${node.name} takes one series, the file has ${columns.length}: ${names}. Choose with --column.`,
  );
}

async function columnsOf(client: Client, node: NamedNode, { column: columns }: WriteOptions) {
  const children = client.nodes.list({ filter: `parentId($eq:${node._id})`, attr: '_class,name,series' });
  const knownTypes = await typesOf(isSource(node) ? (children as AsyncIterable<object>) : []);
  const choice = { columns, where: [], knownTypes, ownType: typeOf(node._class) };
  return (layout: Parameters<typeof chooseColumns>[0]) => chooseColumns(layout, choice);
}

/** Sends a document once, however often it has to be sent. @returns where the server has it */
async function put(
  client: Client,
  node: NamedNode,
  body: string,
  query: object,
  signal: AbortSignal,
): Promise<string | undefined> {
  const send = client.api.PUT as unknown as (path: string, options: object) => Promise<{ data?: { write?: string } }>;
  const { data } = await send('/api/v1/nodes/{id}/historic', {
    params: { path: { id: node._id }, query },
    body: await promisify(gzip)(body),
    bodySerializer: (bytes: Buffer) => bytes,
    headers: { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip', 'Idempotency-Key': randomUUID() },
    signal,
  });
  return data?.write;
}

/** Writes take effect one after the other: the server waits for each. */
async function untilReadable(client: Client, positions: readonly string[], signal: AbortSignal): Promise<void> {
  for (const id of positions) {
    for (let asked = 1; ; asked += 1) {
      const { data } = await client.api.GET('/api/v1/writes/{id}', {
        params: { path: { id }, query: { wait: READABLE_SECONDS } },
        signal,
      });
      if (data?.readable) break;
      if (asked === READABLE_ASKS)
        throw new PartlyDone(
          'All of it is stored, but reads do not have it after two minutes: "catchment doctor" looks why',
        );
    }
  }
}

type Input = { readonly bytes: AsyncIterable<Buffer>; readonly readBytes: () => number };

/** Opens standard input, or a file, unpacked where it is packed. */
function inputOf(file: string): Input {
  let count = 0;
  const stored = file === '-' ? process.stdin : createReadStream(file);
  // The stream may fail before anybody reads; the reading then reports it.
  stored.on('error', () => {});
  const counted = async function* () {
    try {
      for await (const chunk of stored as AsyncIterable<Buffer>) {
        count += chunk.length;
        yield chunk;
      }
    } catch (error) {
      throw new UsageError(`${file}: cannot be read (${(error as NodeJS.ErrnoException).code})`, { cause: error });
    }
  };
  return { bytes: unpacked(counted()), readBytes: () => count };
}

async function* unpacked(bytes: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  const first = await bytes.next();
  if (first.done) return;
  const whole = async function* () {
    yield first.value;
    yield* bytes;
  };
  const isGzip = first.value[0] === 0x1f && first.value[1] === 0x8b;
  if (isGzip) {
    const { Readable } = await import('node:stream');
    yield* Readable.from(whole()).compose(createGunzip()) as AsyncIterable<Buffer>;
  } else yield* whole();
}
