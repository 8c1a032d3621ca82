import { type DomainError, invalid, type Reason } from '@catchment/errors';
import type { FileBytes } from './file-bytes.ts';
import type { Member } from './member.ts';
import { gunzipped, UnpackedBudget } from './unpacked.ts';
import { zipMembers } from './zip-members.ts';

const GZIP = [0x1f, 0x8b];
const ZIP = [0x50, 0x4b, 0x03, 0x04];
const EMPTY_ZIP = [0x50, 0x4b, 0x05, 0x06];

/**
 * Members are the file itself, what is packed in it, or the members of an archive that are wanted by name
 * (docs/reference/acquisition.md#files-of-a-source).
 */
type Members = { readonly isArchive: boolean; readonly members: readonly Member[] };

/**
 * The members of a file. Packed files are recognised by their first bytes, which must match their names; a file that is packed twice is
 * refused.
 * @throws DomainError invalid_argument, too_large; here and when a member is read
 */
export async function membersOf(
  file: FileBytes,
  fileName: string,
  isWanted: (name: string) => boolean,
): Promise<Members> {
  const start = await startOf(file);
  const budget = new UnpackedBudget();
  const all = () => file.range(0, file.size);
  if (isZip(start) || hasEnding(fileName, '.zip')) {
    const members = await zipMembers(file, isWanted);
    return {
      isArchive: true,
      members: members.map(({ name, bytes }, n) => ({
        name,
        bytes: () => budget.of(`${n}`, unlessPacked(bytes(), `'${name.slice(0, 120)}'`)),
      })),
    };
  }
  const isGzip = begins(start, GZIP);
  if (hasEnding(fileName, '.gz') && !isGzip) throw invalid('BAD_GZIP', 'body: must be gzip data, as its name says');
  const bytes = isGzip ? () => budget.of('', unlessPacked(gunzipped(all()), 'the file')) : all;
  return { isArchive: false, members: [{ name: fileName, bytes }] };
}

const PACKING: readonly Reason[] = ['BAD_ARCHIVE', 'BAD_GZIP', 'PACKED_TWICE'];
/** Returns whether an error is about how a file is packed: what is in it cannot be known. */
export const isOfArchive = ({ reason }: DomainError): boolean => PACKING.includes(reason);

/** Returns the name of what is in a `.gz`. */
export const withoutGz = (fileName: string): string => fileName.replace(/\.gz$/i, '');

/** Returns whether a file of this name is known to be an archive before its bytes are. */
export const isNamedZip = (fileName: string): boolean => hasEnding(fileName, '.zip');

const hasEnding = (fileName: string, ending: string): boolean => fileName.toLowerCase().endsWith(ending);
const begins = (bytes: Uint8Array, magic: readonly number[]): boolean => magic.every((byte, n) => bytes[n] === byte);
const isZip = (bytes: Uint8Array): boolean => begins(bytes, ZIP) || begins(bytes, EMPTY_ZIP);

async function startOf(file: FileBytes): Promise<Uint8Array> {
  for await (const piece of file.range(0, 4)) return piece;
  return new Uint8Array(0);
}

async function* unlessPacked(bytes: AsyncIterable<Uint8Array>, what: string): AsyncGenerator<Uint8Array> {
  let start: Uint8Array | undefined = new Uint8Array(0);
  for await (const piece of bytes) {
    if (start) {
      start = Buffer.concat([start, piece.subarray(0, 4)]);
      if (begins(start, GZIP) || isZip(start)) throw invalid('PACKED_TWICE', `body: ${what} must not be packed twice`);
      if (start.length >= 4) start = undefined;
    }
    yield piece;
  }
}
