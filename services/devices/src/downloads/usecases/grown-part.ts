import type { FileCollection, FileConnection, RemoteFile } from '../../acquisition/index.ts';
import { ByteTally } from '../domain/byte-tally.ts';
import { type Grown, HEAD_BYTES, headOf } from '../domain/plan.ts';
import { firstRows, hasPlainLines, lastRows } from '../domain/text-cuts.ts';

/** The layout of a file is known by so much of its beginning. */
const LAYOUT_BYTES = 64 * 1024;
/** This much before the new part is read too, for the order of times that occur twice. */
const CONTEXT_BYTES = 64 * 1024;

/** This content of a file is handed over. */
export type Content = {
  readonly bytes: () => AsyncIterable<Uint8Array>;
  /** Counts `bytes`, which follow `before`. */
  readonly tally: ByteTally;
  readonly version?: string;
  readonly afterMs?: number;
  /** These rows were acquired already; they show the file's layout and clock. */
  readonly before?: { readonly bytes: Uint8Array; readonly lines: number };
};

type From = Pick<FileCollection, 'files' | 'signal'> & { readonly connection: FileConnection };

/**
 * Returns what was added to a file since it was read last, after the rows that show how it is to be read.
 * @returns WHOLE: it is another file, or a file of which no part can be read alone. NOTHING: no byte came
 */
export async function grownPart(from: From, file: RemoteFile, known: Grown): Promise<Content | 'WHOLE' | 'NOTHING'> {
  const { readTo, lines = 0 } = known;
  const isShort = readTo <= LAYOUT_BYTES + CONTEXT_BYTES;
  const beginning = open(from, file, 0);
  let rest = beginning;
  let result: Content | 'WHOLE' | 'NOTHING' = 'WHOLE';
  try {
    const start = await beginning.take(isShort ? readTo : LAYOUT_BYTES);
    if (!hasPlainLines(start) || !(await isSame(beginning, start, known))) return result;
    const before = isShort ? start : await rowsBefore();
    if (!before) return result;
    const tally = new ByteTally({ readTo, lines, start });
    const hasMore = (await rest.peek(1)).length > 0;
    result = hasMore ? { before: { bytes: before, lines }, tally, bytes: () => rest.all() } : 'NOTHING';
    return result;

    async function rowsBefore(): Promise<Uint8Array | undefined> {
      const qualifier = from.files.parser?.textQualifier ?? '"';
      const layout = firstRows(start, qualifier);
      if (!layout) return undefined;
      const begin = Math.max(layout.length, readTo - CONTEXT_BYTES);
      await beginning.close();
      rest = open(from, file, begin);
      const context = await rest.take(readTo - begin);
      if (context.length < readTo - begin || context.includes(0)) return undefined;
      return Buffer.concat([layout, lastRows(context, qualifier)]);
    }
  } finally {
    if (typeof result === 'string') await rest.close();
  }
}

/** Returns whether a file begins as it did; the head of a short one reaches beyond its last whole line. */
async function isSame(bytes: Opened, start: Uint8Array, { head, sizeBytes }: Grown): Promise<boolean> {
  const length = Math.min(HEAD_BYTES, sizeBytes);
  const missing = length - start.length;
  return headOf(missing > 0 ? Buffer.concat([start, await bytes.peek(missing)]) : start.subarray(0, length)) === head;
}

type Opened = ReturnType<typeof open>;

/** Opens bytes of a file that are taken a few at a time. */
function open({ connection, signal }: From, file: RemoteFile, fromByte: number) {
  const pieces = connection.read(file, fromByte, signal)[Symbol.asyncIterator]();
  let held: Uint8Array = new Uint8Array(0);
  const fill = async (length: number) => {
    const parts = [held];
    let has = held.length;
    while (has < length) {
      const { value, done } = await pieces.next();
      if (done) break;
      // The memory of a piece may be used again.
      parts.push(Buffer.from(value));
      has += value.length;
    }
    held = parts.length === 1 ? held : Buffer.concat(parts);
  };
  const close = async () => void (await pieces.return?.());
  return {
    /** Reads at most this many bytes, which stay to be taken. */
    async peek(length: number): Promise<Uint8Array> {
      await fill(length);
      return held.subarray(0, length);
    },
    async take(length: number): Promise<Uint8Array> {
      await fill(length);
      const taken = held.subarray(0, length);
      held = held.subarray(taken.length);
      return taken;
    },
    async *all(): AsyncGenerator<Uint8Array> {
      try {
        if (held.length > 0) yield held;
        for (;;) {
          const { value, done } = await pieces.next();
          if (done) return;
          yield value;
        }
      } finally {
        await close();
      }
    },
    close,
  };
}
