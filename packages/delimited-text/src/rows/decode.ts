import { isAscii, isUtf8 } from 'node:buffer';
import { invalid } from '@catchment/errors';

/** The text parser knows these encodings (docs/reference/acquisition.md#text-parser). */
const ENCODINGS = ['UTF-8', 'ISO-8859-1', 'windows-1252', 'UTF-16LE', 'UTF-16BE'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** This many bytes at the beginning show the encoding, where nothing else does. */
const HEAD_BYTES = 64 * 1024;
/** This many bytes of the head are searched for the zeros of UTF-16. */
const ZEROS_BYTES = 4096;
const UTF8_CHARACTER_BYTES = 4;
/** Stands for bytes that are no character. */
export const UNDECODABLE = '\ufffd';

export interface DecodeOptions {
  /** Absent: the bytes say it. */
  readonly encoding?: Encoding | undefined;
  /** Called with the encoding once it is known. */
  readonly found?: (found: FoundEncoding) => void;
  /** Called when some bytes are no characters, before the text with them is given. */
  readonly undecodable?: () => void;
  /** Given the first bytes, before they are decoded. */
  readonly head?: (bytes: Uint8Array) => void;
}

/** BOM: a mark of byte order names it. GUESS: the bytes are no UTF-8, and the most common other encoding is taken. */
export interface FoundEncoding {
  readonly encoding: Encoding;
  readonly by: 'BOM' | 'SETTING' | 'BYTES' | 'GUESS';
}

function encodingOfBom(head: Uint8Array): Encoding | undefined {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return 'UTF-8';
  if (head[0] === 0xff && head[1] === 0xfe) return 'UTF-16LE';
  if (head[0] === 0xfe && head[1] === 0xff) return 'UTF-16BE';
  return undefined;
}

/** Digits, delimiters and line ends of UTF-16 have a zero byte, always on the same side; a file with runs of zeros has them on both. */
function encodingOfZeros(head: Uint8Array): Encoding | undefined {
  const bytes = head.subarray(0, Math.min(head.length, ZEROS_BYTES) & ~1);
  const zeros = [0, 0];
  for (let at = 0; at < bytes.length; at += 1) if (bytes[at] === 0) zeros[at % 2]! += 1;
  const [even = 0, odd = 0] = zeros;
  const isMost = (many: number, few: number) => many * 2 > bytes.length * 0.3 && few * 50 < many;
  if (bytes.length >= 4 && isMost(odd, even)) return 'UTF-16LE';
  return bytes.length >= 4 && isMost(even, odd) ? 'UTF-16BE' : undefined;
}

/** Leaves out a character at the end that goes on behind it. */
function wholeUtf8(bytes: Uint8Array): Uint8Array {
  for (let back = 1; back <= Math.min(UTF8_CHARACTER_BYTES - 1, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back]!;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? bytes.subarray(0, bytes.length - back) : bytes;
  }
  return bytes;
}

/** Accepts UTF-8, strictly; some lines of it may be damaged. @returns undefined: only ASCII */
function encodingOfText(bytes: Uint8Array): FoundEncoding | undefined {
  if (isAscii(bytes)) return undefined;
  const whole = wholeUtf8(bytes);
  if (isUtf8(whole)) return { encoding: 'UTF-8', by: 'BYTES' };
  const text = new TextDecoder().decode(whole);
  const bad = text.split(UNDECODABLE).length - 1;
  const good = text.match(/[\u0080-\ufffc]/g)?.length ?? 0;
  return good > bad ? { encoding: 'UTF-8', by: 'BYTES' } : { encoding: 'windows-1252', by: 'GUESS' };
}

/** The standard's decoder takes ISO-8859-1 for windows-1252; here the bytes 0x80-0x9f stay control characters. */
function decoderOf(encoding: Encoding): (bytes: Uint8Array, isLast: boolean) => string {
  if (encoding === 'ISO-8859-1') return (bytes) => Buffer.from(bytes).toString('latin1');
  const decoder = new TextDecoder(encoding);
  return (bytes, isLast) => decoder.decode(bytes, { stream: !isLast });
}

/**
 * Yields the text of a file piece by piece; holds one piece of its input, and the first 64 KiB. One rule decides its encoding: a byte
 * order mark wins, then `encoding`, then the zero bytes of UTF-16; then it is UTF-8 if it is that strictly, else windows-1252. As long as all
 * is ASCII it is open. Byte order marks are left out wherever they are; bytes that are no character become U+FFFD, which nothing may keep.
 * @throws DomainError invalid_argument when the encoding is not one of `ENCODINGS`
 */
export async function* decodeText(
  bytes: AsyncIterable<Uint8Array>,
  { encoding, found, undecodable, head }: DecodeOptions = {},
): AsyncGenerator<string> {
  if (encoding !== undefined && !ENCODINGS.includes(encoding)) {
    throw invalid('UNKNOWN_ENCODING', `encoding: must be one of ${ENCODINGS.join(', ')}`);
  }
  let decode: ReturnType<typeof decoderOf> | undefined;
  const decided = (encoding: FoundEncoding) => {
    decode = decoderOf(encoding.encoding);
    found?.(encoding);
    return decode;
  };
  const shown = (text: string): string => {
    if (text.includes(UNDECODABLE)) undecodable?.();
    return text.includes('\ufeff') ? text.replaceAll('\ufeff', '') : text;
  };
  for await (const piece of headed(bytes)) {
    if (piece.isHead) head?.(piece.bytes);
    if (decode === undefined) {
      const encoded = piece.isHead ? ofHead(piece.bytes, encoding) : encodingOfText(piece.bytes);
      if (encoded === undefined) {
        yield Buffer.from(piece.bytes).toString('latin1');
        continue;
      }
      decode = decided(encoded);
    }
    yield shown(decode(piece.bytes, false));
  }
  if (decode === undefined) found?.({ encoding: 'UTF-8', by: 'BYTES' });
  else yield shown(decode(new Uint8Array(0), true));
}

function ofHead(head: Uint8Array, encoding: Encoding | undefined): FoundEncoding | undefined {
  const marked = encodingOfBom(head);
  if (marked) return { encoding: marked, by: 'BOM' };
  if (encoding) return { encoding, by: 'SETTING' };
  const wide = encodingOfZeros(head);
  return wide ? { encoding: wide, by: 'BYTES' } : encodingOfText(head);
}

/** Yields the first bytes in one piece, then the others as they come. */
async function* headed(
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<{ readonly bytes: Uint8Array; readonly isHead: boolean }> {
  let head: Uint8Array[] | undefined = [];
  let size = 0;
  for await (const piece of bytes) {
    if (head === undefined) {
      yield { bytes: piece, isHead: false };
      continue;
    }
    // A piece may be valid only until the next one is asked for.
    head.push(Buffer.from(piece));
    size += piece.length;
    if (size < HEAD_BYTES) continue;
    yield { bytes: Buffer.concat(head), isHead: true };
    head = undefined;
  }
  if (head !== undefined) yield { bytes: Buffer.concat(head), isHead: true };
}
