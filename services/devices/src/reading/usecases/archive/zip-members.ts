import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { DomainError, invalid, tooLarge } from '@catchment/errors';
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from 'yauzl';
import type { FileBytes } from './file-bytes.ts';
import type { Member } from './member.ts';
import { UNPACKED_MAX_BYTES } from './unpacked.ts';

/** An archive has at most this many members, of any kind. */
const MEMBERS_MAX = 1_000;
const SHOWN = 120;

class BytesReader extends RandomAccessReader {
  readonly #bytes: FileBytes;
  constructor(bytes: FileBytes) {
    super();
    this.#bytes = bytes;
  }
  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.#bytes.range(start, end), { objectMode: false });
  }
}

/**
 * Returns the members of a zip archive that `isWanted` by the last part of their names, which never become paths of a disk. What its
 * directory says is checked here, what is in the members when they are read.
 * @throws DomainError invalid_argument: damaged, encrypted, unknown packing, unsafe names, empty; too_large
 */
export async function zipMembers(bytes: FileBytes, isWanted: (name: string) => boolean): Promise<Member[]> {
  try {
    const zip = await fromRandomAccessReaderPromise(new BytesReader(bytes), bytes.size, {
      lazyEntries: true,
      autoClose: false,
    });
    if (zip.entryCount > MEMBERS_MAX) throw bad(`has more than ${MEMBERS_MAX} members`);
    const members: Member[] = [];
    let isEmpty = true;
    let declared = 0;
    for await (const entry of zip.eachEntry()) {
      if (entry.fileName.endsWith('/') || isOfSystem(entry.fileName)) continue;
      isEmpty = false;
      const name = baseOf(entry.fileName);
      if (!isWanted(name)) continue;
      checkEntry(entry);
      declared += entry.uncompressedSize;
      if (declared > UNPACKED_MAX_BYTES) throw tooLarge();
      members.push({ name, bytes: () => contentOf(zip, entry) });
    }
    if (isEmpty) throw bad('has no files');
    return members;
  } catch (error) {
    throw problemOf(error);
  }
}

const baseOf = (path: string): string => path.split('/').at(-1) ?? '';

/** Files that file managers leave in archives. */
const isOfSystem = (path: string): boolean => path.startsWith('__MACOSX/') || baseOf(path).startsWith('.');

function checkEntry(entry: Entry): void {
  const name = entry.fileName.slice(0, SHOWN);
  if (entry.isEncrypted()) throw bad(`has an encrypted member, '${name}'`);
  if (!entry.canDecodeFileData()) throw bad(`has a member that is packed in an unknown way, '${name}'`);
}

async function* contentOf(zip: ZipFile, entry: Entry): AsyncGenerator<Uint8Array> {
  let sum = 0;
  let stream: Readable | undefined;
  try {
    stream = await zip.openReadStreamPromise(entry);
    for await (const piece of stream as AsyncIterable<Buffer>) {
      sum = crc32(piece, sum);
      yield piece;
    }
    if (sum !== entry.crc32) throw bad(`has a damaged member, '${entry.fileName.slice(0, SHOWN)}'`);
  } catch (error) {
    throw problemOf(error);
  } finally {
    stream?.destroy();
  }
}

const bad = (problem: string): DomainError => invalid('BAD_ARCHIVE', `body: the archive ${problem}`);

/** The reader of archives throws plain errors that say what is wrong with one; ours come from below it. */
function problemOf(error: unknown): unknown {
  if (error instanceof DomainError || !(error instanceof Error) || error.name === 'AbortError') return error;
  return bad(`is damaged: ${error.message.slice(0, SHOWN)}`);
}
