import type { IncomingMessage } from 'node:http';
import { PassThrough, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { DomainError, invalid, type ReasonOf, tooLarge } from '@catchment/errors';
import { Busboy, type BusboyHeaders } from '@fastify/busboy';
import { badGzip, encodingOf } from './body-encoding.ts';
import { storable } from './query.ts';
import { watchStall } from './stall-watch.ts';
import { printFile, printForm } from './upload-print.ts';

export type Upload = {
  /** Bytes. */
  readonly size: number;
  /** The client gave this name; it may be empty. */
  readonly fileName: string;
  /** Other form parts, by name. */
  readonly fields: ReadonlyMap<string, string>;
};

export type UploadTarget = {
  readonly segmentBytes: number;
  readonly maxBytes: number;
  /** Stores the next segment; the client waits meanwhile. */
  readonly write: (index: number, data: Buffer) => Promise<void>;
};

/** An upload that is read and thrown away has these limits: the parts of every upload are smaller, and so are the files. */
const READ_BYTES = 64 * 1024;
const READ_MAX_BYTES = 256 * 1024 * 1024;

const LIMITS = {
  files: 1,
  fields: 8,
  parts: 9,
  fieldNameSize: 100,
  fieldSize: 8 * 1024,
  headerPairs: 16,
  headerSize: 8192,
};

/**
 * The one file of a multipart body, written on as it comes: one segment is held at a time. When it fails no segment is being
 * written any more, and the rest of the body is read and thrown away, so that the client gets the answer.
 * @param fieldBytes of another part of the form, at most
 * @throws DomainError invalid_argument, too_large, cancelled when the client leaves; whatever `write` throws
 */
export async function receiveUpload(
  raw: IncomingMessage,
  target: UploadTarget,
  fieldBytes = LIMITS.fieldSize,
): Promise<Upload> {
  const limits = { ...LIMITS, fieldSize: fieldBytes };
  const form = new Busboy({ headers: raw.headers as BusboyHeaders, limits });
  const fields = new Map<string, string>();
  const failed = Promise.withResolvers<never>();
  const ended = Promise.withResolvers<void>();
  const fail = (reason: ReasonOf<'invalid_argument'>, message: string) => () => failed.reject(invalid(reason, message));
  let file: { stream: Readable; name: string; size: Promise<number> } | undefined;
  form.on('file', (_field, stream, name: string | undefined) => {
    const size = writeSegments(stream, printed(raw, target));
    size.catch(failed.reject);
    if (isDamaged(name)) fail('BAD_ENCODING', 'file: its name must be UTF-8')();
    file = { stream, name: name ?? '', size };
  });
  form.on('field', (name, value, _isNameCut, isCut) => {
    if (isCut) failed.reject(invalid('FIELD_TOO_LONG', `${name}: must be a text of at most ${fieldBytes} bytes`));
    else if (isDamaged(value)) fail('BAD_ENCODING', `${name}: must be UTF-8`)();
    else fields.set(name, value);
  });
  for (const limit of ['partsLimit', 'fieldsLimit'])
    form.on(limit, fail('TOO_MANY_PARTS', `body: must have at most ${LIMITS.parts} parts`));
  form.on('filesLimit', fail('TOO_MANY_FILES', 'file: must be one, not several'));
  form.on('error', fail('BAD_MULTIPART', 'body: must be well-formed multipart/form-data'));
  form.on('finish', ended.resolve);
  try {
    await pipeBody(raw, form, Promise.race([ended.promise, failed.promise]));
    if (!file) throw invalid('FILE_MISSING', 'file: must be sent');
    storable(file.name, 'file name');
    for (const [name, value] of fields) storable(value, storable(name, 'field'));
    const size = await file.size;
    printForm(raw, file.name, fields);
    return { size, fileName: file.name, fields };
  } catch (error) {
    file?.stream.destroy();
    await file?.size.catch(() => undefined);
    throw error;
  }
}

/** The parser of forms puts this character in place of bytes that are no UTF-8. */
const isDamaged = (text: string | undefined): boolean => text?.includes('\ufffd') === true;

/**
 * Receives a body that is a file itself, inflated where `Content-Encoding` says so; otherwise as `receiveUpload`.
 * @returns bytes
 * @throws DomainError as `receiveUpload`
 */
export async function receiveFile(raw: IncomingMessage, target: UploadTarget): Promise<number> {
  const stream = encodingOf(raw) === 'gzip' ? createGunzip() : new PassThrough();
  const size = writeSegments(stream, printed(raw, target));
  try {
    return await pipeBody(raw, stream, size);
  } catch (error) {
    stream.destroy();
    await size.catch(() => undefined);
    throw (error as NodeJS.ErrnoException).code?.startsWith('Z_') ? badGzip() : error;
  }
}

/** Reads an upload without storing it, as far as its file and its form are printed. @throws DomainError as when it is stored */
export async function readThrough(raw: IncomingMessage, isFile: boolean): Promise<void> {
  const target = { segmentBytes: READ_BYTES, maxBytes: READ_MAX_BYTES, write: async () => undefined };
  await (isFile ? receiveFile(raw, target) : receiveUpload(raw, target, READ_BYTES));
}

const printed = (raw: IncomingMessage, target: UploadTarget): UploadTarget => ({
  ...target,
  write: (index, data) => {
    printFile(raw, data);
    return target.write(index, data);
  },
});

/** Sends a body on while `work` goes on with it. `pipeline` would not do: it ends the connection when it stops early. */
export async function pipeBody<T>(raw: IncomingMessage, to: NodeJS.WritableStream, work: Promise<T>): Promise<T> {
  const gone = Promise.withResolvers<never>();
  // The connection's end discards the rest of the body in memory, also when all of it had arrived.
  const left = () => {
    if (!raw.readableEnded)
      gone.reject(new DomainError('cancelled', 'CALLER_LEFT', 'The body did not arrive completely'));
  };
  raw.on('close', left).on('error', left);
  gone.promise.catch(() => undefined);
  work.catch(() => undefined);
  // The client may have left before we listened.
  if (raw.destroyed) left();
  else raw.pipe(to);
  const endWatch = watchStall(raw, gone.reject);
  try {
    return await Promise.race([work, gone.promise]);
  } catch (error) {
    raw.unpipe(to);
    raw.resume();
    throw error;
  } finally {
    endWatch();
    raw.off('close', left).off('error', left);
    raw.on('error', () => undefined);
  }
}

/** Splits the bytes of a stream into segments. @returns how many there were */
async function writeSegments(stream: Readable, { segmentBytes, maxBytes, write }: UploadTarget): Promise<number> {
  const segment = Buffer.alloc(segmentBytes);
  let filled = 0;
  let index = 0;
  const flush = async () => {
    await write(index, segment.subarray(0, filled));
    index += 1;
    filled = 0;
  };
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    if (index * segmentBytes + filled + chunk.length > maxBytes)
      throw tooLarge(`Request or response too large: a file may have at most ${maxBytes} bytes`);
    for (let from = 0; from < chunk.length; ) {
      const copied = chunk.copy(segment, filled, from);
      filled += copied;
      from += copied;
      if (filled === segmentBytes) await flush();
    }
  }
  const size = index * segmentBytes + filled;
  if (filled > 0) await flush();
  return size;
}
