import { type Calls, dataOf, newKey, type Schemas } from './calls.ts';
import { documentsOf, isReference, type WriteMode } from './documents.ts';
import { argumentError, CatchmentError } from './errors.ts';
import { lost } from './retry.ts';
import { emptyTable, extend, type Table, tableOf } from './tables.ts';
import { instantOf, isLocal, type TimeLike } from './times.ts';

export type ReadOptions = {
  /** The first instant. Text without a zone is in `tz`. */
  readonly start?: TimeLike;
  /** This instant is left out. */
  readonly end?: TimeLike;
  /** Bounds and intervals are in this zone, with its daylight saving time; UTC without it. */
  readonly tz?: string;
  /** The answer has at most this many rows; a bound may then be left out. */
  readonly limit?: number;
  /** Such as AVERAGE, with `interval`; a result has the time at which its interval starts. */
  readonly aggregate?: string;
  /** Such as `1D`, `15M`. */
  readonly interval?: string;
  /** Intervals begin here; without it with the day. */
  readonly baseTime?: string;
  readonly qualityExcluded?: string;
  readonly renderType?: 'VALUE' | 'STATE';
  readonly signal?: AbortSignal;
};

export type DownloadOptions = {
  readonly format: 'CSV' | 'JSON' | 'ARROW' | 'PARQUET' | 'RDB' | 'WATERML2' | 'COVJSON';
  readonly layout?: 'LONG' | 'WIDE';
  readonly quality?: 'NONE' | 'DELIMITED_WITH_VALUE' | 'SEPARATE_VALUE';
  readonly annotation?: 'NONE' | 'DELIMITED_WITH_VALUE' | 'SEPARATE_VALUE';
  /** Thins each column to what a line of this many points shows. */
  readonly maxPoints?: number;
};

export type WriteOptions = {
  readonly mode?: WriteMode;
  readonly notifyOn?: 'LATEST_ONLY' | 'ALL_NEWER' | 'NONE';
  /** With `durable` no crash loses it; with `readable` reads have it too. */
  readonly wait?: 'durable' | 'readable';
};

export type Change = {
  readonly node: string;
  readonly timeMs: number;
  readonly value: unknown;
  readonly quality: number | undefined;
  readonly annotation: string | undefined;
  /** Goes on here: `after` of another call. It comes at least once: the page it is on comes again. */
  readonly place: string | undefined;
};

/** The server waits for ten seconds each time. */
const READABLE_ASKS = 12;
const PAGE_ROWS = 10_000;

/** Records of parameters and Locations. */
export class Historic {
  readonly #calls: Calls;
  readonly #serverNow: () => Promise<number>;

  constructor(calls: Calls, serverNow: () => Promise<number>) {
    this.#calls = calls;
    this.#serverNow = serverNow;
  }

  /**
   * Reads records from `start` to before `end`, or results of intervals: a column for each node. A raw answer that would be too large is
   * read in parts.
   * @param nodes ids or `@customIds`
   */
  async read(nodes: string | readonly string[], options: ReadOptions): Promise<Table> {
    const labels = referencesOf(nodes);
    const { query, bounds, canCut, hasIntervals } = asked(labels, options);
    const whole = emptyTable(labels);
    const left = [bounds];
    for (let part = left.pop(); part; part = left.pop()) {
      const found = await this.#window({ ...query, ...timesOf(part, hasIntervals) }, labels, options.signal).catch(
        cutAt(part, canCut),
      );
      if (Array.isArray(found)) left.push(...found);
      else extend(whole, found, part.end.ms);
    }
    return whole;
  }

  /**
   * Yields records in a format of the server, in bytes as they come: nothing is held whole. CSV that would be too large comes in parts, as
   * one document. A failure behind the first bytes leaves an incomplete document, and is thrown.
   * @param options `format` and what it takes (docs/reference/formats.md)
   */
  async *download(
    nodes: string | readonly string[],
    options: ReadOptions & DownloadOptions,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    const labels = referencesOf(nodes);
    const { format, layout, quality, annotation, maxPoints } = options;
    const { query, bounds, canCut, hasIntervals } = asked(labels, options);
    const form = { ...query, format, layout, quality, annotation, maxPoints };
    const { signal } = options;
    const left = [bounds];
    for (let part = left.pop(), header: string | undefined; part; part = left.pop()) {
      const sent = { ...form, ...timesOf(part, hasIntervals), header };
      const answer = await this.#calls
        .download('/historic', sent, signal)
        .catch(cutAt(part, canCut && format === 'CSV' && maxPoints === undefined));
      if (answer instanceof Response) {
        yield* bytesOf(answer, signal);
        header = 'FALSE';
      } else left.push(...answer);
    }
  }

  async #window(
    query: Record<string, unknown>,
    labels: readonly string[],
    signal: AbortSignal | undefined,
  ): Promise<Table> {
    const answer = await this.#calls.api.GET('/api/v1/historic', {
      params: { query: query as never },
      ...(signal && { signal }),
    });
    return tableOf(dataOf(answer) as Schemas['Jts'], labels);
  }

  /**
   * Writes a table: what `read` answers is one. A value that is missing writes nothing, with a quality it writes a gap. Large tables take several
   * requests in order of time.
   * @param node a source, whose parameters are the columns by their series (new ones are made); one parameter or Location, for one column; or
   *   undefined: each column is called by its node
   * @throws CatchmentError `argument` before anything is sent; `partial_write` where some parts are stored already
   */
  async write(
    node: string | undefined,
    table: Table,
    { mode = 'MERGE_OVERWRITE_EXISTING', notifyOn, wait = 'durable' }: WriteOptions = {},
  ): Promise<{ readonly records: number; readonly parts: number }> {
    const asked = node === undefined ? undefined : await this.#meant(node, table);
    const parts = documentsOf(table, mode, asked);
    const query = { writeMode: mode, ...(notifyOn && { notifyOn }) };
    const headers = mode.includes('FAIL_ON') ? { 'Idempotency-Key': newKey() } : {};
    let records = 0;
    const positions: (string | undefined)[] = [];
    for (const [done, part] of parts.entries()) {
      try {
        const position = await this.#send(node, part.text, query, headers);
        if (part.records > 0) positions.push(position);
      } catch (error) {
        if (done === 0) throw error;
        const until = new Date(parts[done - 1]?.untilMs ?? 0).toISOString();
        throw new CatchmentError(
          `${done} of ${parts.length} parts are stored, ${records} records, all columns up to ${until}; the next one failed: ${(error as Error).message}. Write again what follows`,
          { kind: 'partial_write', cause: error },
        );
      }
      records += part.records;
    }
    if (wait === 'readable') for (const position of positions) await this.#untilReadable(position);
    return { records, parts: parts.length };
  }

  /** Finds the column of one series; undefined of a source, which finds its parameters by the columns. */
  async #meant(node: string, { columns }: Table): Promise<'source' | 'series'> {
    const [first] = columns;
    if (columns.length === 1 && (first?.label === node || !isReference(first?.label ?? ''))) return 'series';
    const found = dataOf(
      await this.#calls.api.GET('/api/v1/nodes/{id}', { params: { path: { id: node }, query: { attr: '_class' } } }),
    );
    if (String(found._class).includes('.source.')) return 'source';
    if (columns.length > 1) throw argumentError('table', `has several columns, but ${node} is one series`);
    return 'series';
  }

  async #send(
    node: string | undefined,
    text: string,
    query: Readonly<Record<string, string>>,
    headers: Readonly<Record<string, string>>,
  ): Promise<string | undefined> {
    const put = this.#calls.api.PUT as unknown as (
      path: string,
      options: object,
    ) => Promise<{ data?: { write?: string } }>;
    const { data } = await put(node === undefined ? '/api/v1/historic' : '/api/v1/nodes/{id}/historic', {
      params: { path: { id: node }, query },
      // The body has bytes, where the types of the API have a document.
      body: await packed(text),
      bodySerializer: (bytes: ArrayBuffer) => bytes,
      headers: { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip', ...headers },
    });
    return data?.write;
  }

  async #untilReadable(position: string | undefined): Promise<void> {
    if (position === undefined)
      throw new CatchmentError('wait: this server does not report when a write can be read; all of it is stored', {
        kind: 'unsupported',
      });
    for (let asked = 0; asked < READABLE_ASKS; asked += 1) {
      const get = this.#calls.api.GET as unknown as (
        path: string,
        options: object,
      ) => Promise<{ data?: { durable: boolean; readable: boolean } }>;
      const { data } = await get('/api/v1/writes/{id}', { params: { path: { id: position }, query: { wait: 10 } } });
      if (data?.readable) return;
      if (!data?.durable)
        throw new CatchmentError('wait: the server has lost the write, as after a restore: write it again', {
          kind: 'server',
        });
    }
    throw new CatchmentError('wait: the write is stored, but reads do not have it after two minutes', {
      kind: 'server',
    });
  }

  /**
   * Writes one record of a parameter or Location over whatever is there.
   * @param record `time`: without it the moment of the call, by the server's clock
   * @returns the time of the record
   */
  async writeNow(
    id: string,
    { value, quality, annotation, time }: { value?: unknown; quality?: number; annotation?: string; time?: TimeLike },
  ): Promise<number> {
    if (typeof value === 'number' && !Number.isFinite(value)) throw argumentError('value', 'must be a finite number');
    if (typeof time === 'string' && isLocal(time))
      throw argumentError('time', `'${time}' has no zone: add Z, or its offset`);
    const ms = time === undefined ? Math.floor(await this.#serverNow()) : boundOf('time', time, undefined).ms;
    if (ms === undefined) throw argumentError('time', 'must be a time, not a relative one');
    const body = { value, quality, annotation, timestamp: new Date(ms).toISOString() };
    await this.#calls.api.PUT('/api/v1/nodes/{id}/historic/now', { params: { path: { id } }, body: body as never });
    return ms;
  }

  /**
   * Yields records that were written since a time, whatever times they are of, until there is nothing more.
   * @param options `after`: the place of an earlier change
   */
  async *changes(
    nodes: string | readonly string[],
    { since, after, tz, signal }: { since?: TimeLike; after?: string; tz?: string; signal?: AbortSignal },
  ): AsyncGenerator<Change, void, undefined> {
    const labels = referencesOf(nodes);
    if (since === undefined && after === undefined) throw argumentError('since', 'must be given, or after');
    const startTime = since === undefined ? undefined : boundOf('since', since, tz).text;
    for (let place = after; ; ) {
      const query = {
        timeQuery: 'MODIFIED',
        limit: PAGE_ROWS,
        renderFormat: '',
        params: labels.join(','),
        startTime,
        after: place,
      };
      const answer = dataOf(
        await this.#calls.api.GET('/api/v1/historic', {
          params: { query: query as never },
          ...(signal && { signal }),
        }),
      ) as Schemas['Jts'];
      const { times, columns } = tableOf(answer, labels);
      for (const [row, timeMs] of times.entries())
        for (const { label, values, quality, annotations } of columns) {
          const change = { value: values[row], quality: quality[row], annotation: annotations[row] };
          if (Object.values(change).some((part) => part !== undefined)) yield { node: label, timeMs, ...change, place };
        }
      const next = answer.header?.next;
      if (next === undefined) return;
      place = next;
    }
  }
}

type Range = { readonly start: Bound; readonly end: Bound };

/** Returns what a read asks for. @throws CatchmentError `argument` */
function asked(labels: readonly string[], { start, end, tz, limit, ...options }: ReadOptions) {
  const { aggregate = 'NONE', interval, baseTime, qualityExcluded, renderType } = options;
  const hasIntervals = !['NONE', 'CHANGE'].includes(aggregate.toUpperCase());
  if (hasIntervals && interval === undefined)
    throw argumentError('interval', 'must be given with an aggregate, such as 1D');
  if (limit === undefined && (start === undefined || end === undefined))
    throw argumentError(start === undefined ? 'start' : 'end', 'must be given where there is no limit');
  const query = {
    baseTime: baseTime ?? (interval === undefined ? undefined : baseOf(interval)),
    renderFormat: '',
    aggregate: options.aggregate,
    interval,
    qualityExcluded,
    renderType,
    params: labels.join(','),
    limit,
    timezone: tz,
    timezoneAdjustForDst: tz === undefined ? undefined : 'TRUE',
  };
  const bounds = { start: boundOf('start', start, tz), end: boundOf('end', end, tz) };
  return { query, bounds, hasIntervals, canCut: aggregate.toUpperCase() === 'NONE' && limit === undefined };
}

/**
 * Returns both halves of what was too large, the later one first. @throws the error where it is another one, or it
 * cannot be split
 */
const cutAt =
  ({ start, end }: Range, canCut: boolean) =>
  (error: unknown): Range[] => {
    if (!(error instanceof CatchmentError) || error.kind !== 'too_large' || !canCut) throw error;
    if (start.ms === undefined || end.ms === undefined || end.ms - start.ms < 2) throw error;
    const cut = boundOf('end', Math.floor((start.ms + end.ms) / 2), undefined);
    return [
      { start: cut, end },
      { start, end: cut },
    ];
  };

async function* bytesOf({ body }: Response, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader();
  try {
    for (;;) {
      const { done = true, value } = (await reader?.read()) ?? {};
      if (done || value === undefined) return;
      yield value;
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw lost(error);
  } finally {
    await reader?.cancel().catch(() => {});
  }
}

type Bound = { readonly ms: number | undefined; readonly text: string | undefined };

function boundOf(argument: string, value: TimeLike | undefined, tz: string | undefined): Bound {
  if (value === undefined) return { ms: undefined, text: undefined };
  const ms = instantOf(argument, value, tz);
  return { ms, text: ms === undefined ? String(value) : new Date(ms).toISOString() };
}

/** The API's end is included, but for intervals, which end there. */
const timesOf = ({ start, end }: { start: Bound; end: Bound }, hasIntervals: boolean) => ({
  startTime: start.text,
  endTime: hasIntervals || end.ms === undefined ? end.text : new Date(end.ms - 1).toISOString(),
});

/** Returns where intervals begin unless something else is asked for. */
function baseOf(interval: string): string {
  const [, count = '', unit = 'D'] = /^(\d+) *(Y|MO|W|D)/i.exec(interval.trim()) ?? [];
  const word = unit.toUpperCase();
  return word === 'MO' && count !== '1' ? 'Y' : word;
}

function referencesOf(nodes: string | readonly string[]): readonly string[] {
  const labels = typeof nodes === 'string' ? [nodes] : nodes;
  if (labels.length === 0 || labels.length > 100)
    throw argumentError('nodes', 'must name 1 to 100 parameters or Locations');
  for (const label of labels)
    if (!label || /[,();\\]/.test(label)) throw argumentError('nodes', `'${label}' is no _id and no @customId`);
  return labels;
}

/** Returns the body as gzip, in bytes: a stream could not be sent twice. */
const packed = (text: string): Promise<ArrayBuffer> =>
  new Response(new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'))).arrayBuffer();
