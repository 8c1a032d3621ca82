import { unavailable } from '@catchment/errors';
import { errorIn, type InfluxErrors } from './influx-connection.ts';

/** A result row: time (Unix ms), then the selected fields; null = absent. */
export type InfluxRow = readonly (number | string | null)[];

/** A piece of a series: its tags where the statement groups by them. */
export type InfluxSeries = {
  readonly columns?: readonly string[];
  readonly tags?: Readonly<Record<string, string>>;
  readonly values?: readonly InfluxRow[];
  readonly partial?: boolean;
};

type Result = { error?: string; series?: InfluxSeries[]; partial?: boolean };
type Chunk = Omit<InfluxErrors, 'results'> & { results?: Result[] };

/**
 * The rows of a chunked answer, chunk by chunk.
 * @throws DomainError unavailable when InfluxDB reports an error or the answer ends early
 */
export async function* rowsOf(pieces: AsyncIterable<string>): AsyncGenerator<readonly InfluxRow[]> {
  for await (const series of seriesOf(pieces)) yield series.flatMap(({ values }) => values ?? []);
}

/**
 * The series of a chunked answer, chunk by chunk: InfluxDB writes one JSON document a line.
 * @throws DomainError unavailable when InfluxDB reports an error or the answer ends early
 */
export async function* seriesOf(pieces: AsyncIterable<string>): AsyncGenerator<readonly InfluxSeries[]> {
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
      yield seriesIn(chunk);
    }
  }
  if (rest.trim() !== '') {
    const chunk = parse(rest);
    isComplete = !isPartial(chunk);
    yield seriesIn(chunk);
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

const seriesIn = (chunk: Chunk): readonly InfluxSeries[] =>
  (chunk.results ?? []).flatMap((result) => result.series ?? []);
