import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CopyFrame, type RecordChunk } from '@catchment/contracts/copies';
import { framed, framesOf } from '@catchment/contracts/frames';
import type { Backends } from './backends.ts';
import { messagesOf } from './copy-messages.ts';
import { HistoricProcess } from './historic-process.ts';
import type { BlobRef, Manifest, RecordsCopied } from './manifest.ts';
import type { Repository } from './repository.ts';

/**
 * Chunks of this many records are a separate file, and those that are as large as a file: a series that grows keeps
 * them (services/historic/src/copies/store/influx-chunks.ts).
 */
const FULL_CHUNK = 65_536;
/** Smaller ones of an account share files of about this size. */
const PACK_BYTES = 8 * 1024 * 1024;
const DOUBLE_BYTES = 8;

/**
 * Keeps the records of all series as they are at some moment of the reading, each.
 * @throws the reason of the signal at once, where it ends the reading
 */
export async function keepRecords(
  repository: Repository,
  backends: Backends,
  onRecords: (records: number) => void,
  signal: AbortSignal,
): Promise<RecordsCopied[]> {
  signal.throwIfAborted();
  const historic = new HistoricProcess(backends, 'read');
  // Its end ends the reading below.
  const kill = () => historic.kill();
  signal.addEventListener('abort', kill);
  const accounts = new Map<string, { series: Set<string>; records: number; blobs: BlobRef[] }>();
  let pack: { ownerId: string; frames: Buffer[]; bytes: number } | undefined;
  const accountOf = (ownerId: string) => {
    const account = accounts.get(ownerId) ?? { series: new Set(), records: 0, blobs: [] };
    accounts.set(ownerId, account);
    return account;
  };
  const closePack = async () => {
    if (pack) accountOf(pack.ownerId).blobs.push(await repository.write(Readable.from(pack.frames)));
    pack = undefined;
  };
  const keep = async (chunk: RecordChunk, frame: Buffer) => {
    const { ownerId } = chunk;
    const account = accountOf(ownerId);
    const records = chunk.timestamps.byteLength / DOUBLE_BYTES;
    account.series.add(chunk.nodeId);
    account.records += records;
    if (records === FULL_CHUNK || frame.byteLength >= PACK_BYTES)
      return void account.blobs.push(await repository.write(Readable.from([frame])));
    if (pack && pack.ownerId !== ownerId) await closePack();
    pack ??= { ownerId, frames: [], bytes: 0 };
    pack.frames.push(frame);
    pack.bytes += frame.byteLength;
    if (pack.bytes >= PACK_BYTES) await closePack();
  };
  try {
    let isComplete = false;
    let records = 0;
    if (historic.child.stdout)
      for await (const body of framesOf(historic.child.stdout)) {
        const { frame } = CopyFrame.decode(body);
        if (frame?.$case === 'end') isComplete = frame.value.records === records;
        if (frame?.$case !== 'records') continue;
        await keep(frame.value, framed(body));
        records += frame.value.timestamps.byteLength / DOUBLE_BYTES;
        onRecords(records);
      }
    await historic.ended();
    if (!isComplete) throw new Error('records: the process ended before it had reported all');
    await closePack();
    signal.throwIfAborted();
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener('abort', kill);
    historic.kill();
  }
  return [...accounts].map(([ownerId, { series, records, blobs }]) => ({
    ownerId,
    series: series.size,
    records,
    blobs,
  }));
}

/** Writes the records of a backup, then what the log has done to them while they were copied. */
export async function putRecords(
  backends: Backends,
  manifest: Manifest,
  read: (blob: BlobRef) => AsyncIterable<Uint8Array>,
  onRecords: (records: number) => void,
  environment: NodeJS.ProcessEnv = {},
): Promise<{ records: number; messages: number }> {
  const historic = new HistoricProcess(backends, 'write', environment);
  const frames = async function* () {
    for (const { blobs } of manifest.records)
      for (const blob of blobs)
        for await (const body of framesOf(read(blob))) {
          yield framed(body);
          const { frame } = CopyFrame.decode(body);
          if (frame?.$case === 'records') onRecords(frame.value.timestamps.byteLength / DOUBLE_BYTES);
        }
    for await (const message of loggedMessages(manifest, read))
      yield framed(CopyFrame.encode({ frame: { $case: 'message', value: message } }).finish());
    yield framed(CopyFrame.encode({ frame: { $case: 'end', value: { series: 0, records: 0, messages: 0 } } }).finish());
  };
  try {
    let answer = '';
    historic.child.stdout?.on('data', (piece) => {
      answer += piece;
    });
    if (historic.child.stdin)
      // A process that fails closes its end first: its own words are reported.
      await pipeline(Readable.from(frames(), { objectMode: false }), historic.child.stdin).catch(async (error) => {
        await historic.ended();
        throw error;
      });
    await historic.ended();
    return JSON.parse(answer);
  } finally {
    historic.kill();
  }
}

/**
 * Yields messages that the writer had finished when the snapshot was taken, and maybe not yet when the records were
 * read.
 */
async function* loggedMessages(manifest: Manifest, read: (blob: BlobRef) => AsyncIterable<Uint8Array>) {
  const { INGEST } = manifest.streams;
  if (!INGEST) return;
  for await (const { sequence, subject, headers, data } of messagesOf(INGEST, read)) {
    const partition = Number(subject.split('.').at(-1));
    const range = manifest.replay[partition];
    const reader = headers.find(([name]) => name === 'x-reader')?.[1];
    const isWriters = reader === undefined || /^writer-/.test(reader);
    if (range && isWriters && sequence > range.from && sequence <= range.to)
      yield { partition, sequence, data: Buffer.from(data) };
  }
}
