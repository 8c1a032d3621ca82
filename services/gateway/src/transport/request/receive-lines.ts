import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { tooLarge } from '@catchment/errors';
import { LineCutter } from '../../domain/line-cutter.ts';
import { badEncoding, badGzip, encodingOf } from './body-encoding.ts';
import { pipeBody } from './receive-upload.ts';

/** A body has at most this after inflation, as InfluxDB has it. */
const LINES_MAX_BYTES = 25_000_000;
/** A part is one call: large enough for its costs, small enough for the memory that it takes. */
const PART_BYTES = 512 * 1024;
export const LINE_MAX_BYTES = 64 * 1024;

/**
 * Receives the lines of a body as they come, a part after the other: the client waits while one is written, and memory is that of a part.
 * @param write is given at least one part, which may be empty
 * @throws DomainError too_large; invalid_argument; LineTooLong; whatever `write` throws, parts before it are written
 */
export async function receiveLines(raw: IncomingMessage, write: (part: Buffer) => Promise<void>): Promise<void> {
  const encoding = encodingOf(raw);
  if (encoding === 'unknown') throw badEncoding();
  if (encoding === 'identity' && Number(raw.headers['content-length'] ?? 0) > LINES_MAX_BYTES) throw tooLarge();
  const stream = encoding === 'gzip' ? createGunzip() : new PassThrough();
  const work = async () => {
    const cutter = new LineCutter({ partBytes: PART_BYTES, lineBytes: LINE_MAX_BYTES });
    let bytes = 0;
    let parts = 0;
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > LINES_MAX_BYTES) throw tooLarge();
      for (const part of cutter.push(chunk)) {
        await write(part);
        parts += 1;
      }
    }
    const rest = cutter.end();
    if (rest.length > 0 || parts === 0) await write(rest);
  };
  const done = work();
  try {
    await pipeBody(raw, stream, done);
  } catch (error) {
    stream.destroy();
    await done.catch(() => undefined);
    throw (error as NodeJS.ErrnoException).code?.startsWith('Z_') ? badGzip() : error;
  }
}
