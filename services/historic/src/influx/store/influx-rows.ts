import { unavailable } from '@catchment/errors';
import { DecodeError, decodeMultiStream } from '@msgpack/msgpack';

/** A row has its time (Unix ms), then the selected fields; null = absent. */
export type InfluxRow = readonly (number | string | null)[];

/** A piece of a series has tags where the statement groups by them. */
export type InfluxSeries = {
  readonly columns?: readonly string[];
  readonly tags?: Readonly<Record<string, string>>;
  readonly values?: readonly InfluxRow[];
  readonly partial?: boolean;
};

/** The end of a document that is cut may be a null anywhere. */
type Result = { error?: string; series?: (InfluxSeries | null)[] | null; partial?: boolean | null } | null;
type Chunk = { readonly error?: string; readonly results?: readonly Result[] };

/** The longest text of an answer is that of a record, 10 000 characters; the longest list are the rows of a chunk. */
const LIMITS = {
  maxStrLength: 1024 * 1024,
  maxArrayLength: 100_000,
  maxMapLength: 100,
  maxBinLength: 0,
  maxExtLength: 0,
};
const LARGE_PIECE_BYTES = 65_536;
/** No answer has this document of one byte: it is read behind a whole answer, and is part of an answer that is cut. */
const END = { bytes: Uint8Array.of(0xc0), document: null };

/**
 * Yields the rows of a chunked answer, chunk by chunk.
 * @throws DomainError unavailable when InfluxDB reports an error or the answer ends early
 */
export async function* rowsOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<readonly InfluxRow[]> {
  for await (const series of seriesOf(pieces)) for (const { values } of series) if (values) yield values;
}

/**
 * Yields the series of a chunked answer, chunk by chunk: InfluxDB writes one document of MessagePack each.
 * @throws DomainError unavailable when InfluxDB reports an error or the answer ends early
 */
export async function* seriesOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<readonly InfluxSeries[]> {
  /** This chunk ends a statement. It is known to be whole when something follows. */
  let last: Chunk | undefined;
  try {
    for await (const document of decodeMultiStream<undefined>(inLargePieces(pieces), LIMITS)) {
      if (last) yield seriesIn(last);
      if (document === END.document) {
        if (last) return;
        break;
      }
      const chunk = chunkIn(document);
      last = isPartial(chunk) ? undefined : chunk;
      if (!last) yield seriesIn(chunk);
    }
  } catch (error) {
    throw error instanceof DecodeError ? truncated(error) : error;
  }
  throw truncated();
}

/** InfluxDB sends pieces of 2 KB; a decoder that waits within a document costs as much as some rows. */
async function* inLargePieces(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let [some, bytes]: [Uint8Array[], number] = [[], 0];
  for await (const piece of pieces) {
    some.push(piece);
    bytes += piece.length;
    if (bytes < LARGE_PIECE_BYTES) continue;
    yield Buffer.concat(some);
    [some, bytes] = [[], 0];
  }
  yield Buffer.concat([...some, END.bytes]);
}

function chunkIn(document: unknown): Chunk {
  const { error, results } = Object(document) as Chunk;
  const refused = error ?? results?.find((result) => result?.error)?.error;
  if (refused) throw unavailable('INFLUX_REFUSED', { cause: new Error(refused) });
  if (!Array.isArray(results)) throw truncated();
  return { results };
}

const truncated = (cause?: Error) => unavailable('INFLUX_ANSWER_CUT', cause && { cause });

const isPartial = ({ results = [] }: Chunk): boolean =>
  results.some((result) => result?.partial || result?.series?.some((series) => series?.partial));

const seriesIn = ({ results = [] }: Chunk): readonly InfluxSeries[] =>
  results.flatMap((result) => (result?.series ?? []) as InfluxSeries[]);
