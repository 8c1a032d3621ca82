import { invalid } from '@catchment/errors';

/** Encodings of the text parser (docs/reference/acquisition.md#text-parser). */
export const ENCODINGS = ['UTF-8', 'ISO-8859-1', 'windows-1252', 'UTF-16LE', 'UTF-16BE'] as const;
export type Encoding = (typeof ENCODINGS)[number];

const BOM_BYTES_MAX = 3;

/** The encoding that a byte order mark names, or undefined. */
function encodingOfBom(head: Uint8Array): Encoding | undefined {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return 'UTF-8';
  if (head[0] === 0xff && head[1] === 0xfe) return 'UTF-16LE';
  if (head[0] === 0xfe && head[1] === 0xff) return 'UTF-16BE';
  return undefined;
}

/** The standard's decoder takes ISO-8859-1 for windows-1252; here the bytes 0x80-0x9f stay control characters. */
function decoderOf(encoding: Encoding): (bytes: Uint8Array, isLast: boolean) => string {
  if (encoding === 'ISO-8859-1') return (bytes) => Buffer.from(bytes).toString('latin1');
  const decoder = new TextDecoder(encoding);
  return (bytes, isLast) => decoder.decode(bytes, { stream: !isLast });
}

/**
 * The text of a file, piece by piece; holds one piece of its input. A byte order mark wins over `encoding` and is left
 * out; bytes that are no character become U+FFFD.
 * @throws DomainError invalid_argument when the encoding is not one of `ENCODINGS`
 */
export async function* decodeText(bytes: AsyncIterable<Uint8Array>, encoding: Encoding): AsyncGenerator<string> {
  if (!ENCODINGS.includes(encoding)) {
    throw invalid('UNKNOWN_ENCODING', `encoding: must be one of ${ENCODINGS.join(', ')}`);
  }
  let head: Uint8Array = new Uint8Array(0);
  let decode: ReturnType<typeof decoderOf> | undefined;
  for await (const piece of bytes) {
    if (decode !== undefined) {
      yield decode(piece, false);
      continue;
    }
    head = Buffer.concat([head, piece]);
    if (head.length < BOM_BYTES_MAX) continue;
    decode = decoderOf(encodingOfBom(head) ?? encoding);
    yield decode(head, false);
  }
  if (decode !== undefined) yield decode(new Uint8Array(0), true);
  else yield decoderOf(encodingOfBom(head) ?? encoding)(head, true);
}
