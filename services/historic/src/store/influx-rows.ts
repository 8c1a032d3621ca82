import { unavailable } from '@catchment/errors';
import { errorIn, type InfluxErrors } from './influx-connection.ts';

/** A result row: time (Unix ms), then the selected fields; null = absent. */
export type InfluxRow = readonly (number | string | null)[];

type Result = { error?: string; series?: { values?: InfluxRow[]; partial?: boolean }[]; partial?: boolean };
type Chunk = Omit<InfluxErrors, 'results'> & { results?: Result[] };

/**
 * The rows of a chunked answer, chunk by chunk: InfluxDB writes one JSON document a line.
 * @throws DomainError unavailable when InfluxDB reports an error or the answer ends early
 */
export async function* rowsOf(pieces: AsyncIterable<string>): AsyncGenerator<readonly InfluxRow[]> {
  let rest = '';
  let isComplete = false;
  for await (const piece of pieces) {
    const seen = rest.length;
    rest += piece;
    for (let end = rest.indexOf('\n', seen); end >= 0; end = rest.indexOf('\n')) {
      const line = rest.slice(0, end);
      rest = rest.slice(end + 1);
      if (line.trim() === '') continue;
      const chunk = parse(line);
      isComplete = !isPartial(chunk);
      yield rowsIn(chunk);
    }
  }
  if (rest.trim() !== '') {
    const chunk = parse(rest);
    isComplete = !isPartial(chunk);
    yield rowsIn(chunk);
  }
  if (!isComplete) throw unavailable('INFLUX_ANSWER_CUT');
}

function parse(line: string): Chunk {
  let chunk: Chunk;
  try {
    chunk = JSON.parse(line) as Chunk;
  } catch (error) {
    throw unavailable('INFLUX_ANSWER_CUT', { cause: error });
  }
  const error = errorIn(chunk);
  if (error) throw unavailable('INFLUX_REFUSED', { cause: new Error(error) });
  return chunk;
}

const isPartial = (chunk: Chunk): boolean =>
  chunk.results?.some((result) => result.partial || result.series?.some((series) => series.partial)) ?? false;

const rowsIn = (chunk: Chunk): readonly InfluxRow[] =>
  (chunk.results ?? []).flatMap((result) => (result.series ?? []).flatMap((series) => series.values ?? []));
