import { setTimeout as wait } from 'node:timers/promises';
import { HttpClient } from './http-client.ts';

/** The request was sent at `atMs` (Unix) and not answered as it should. */
export type Failure = {
  readonly atMs: number;
  readonly durationMs: number;
  readonly what: 'write' | 'read';
  readonly status: number | string;
};

/** The request has ended; `isAnswered`: as it should be. */
type Request = Omit<Failure, 'status'> & { readonly isAnswered: boolean };
type Times = { readonly beganMs: number; readonly endedMs: number };

/** This process is so late only when the machine let it stand still: what happens then says nothing about the other side. */
const STALL_MS = 1_000;
const START_MS = Date.UTC(2020, 0, 1);

/** Writes at a steady rate, each request one record with a time of its own, and reads; both until stopped. */
export class Traffic {
  readonly #client: HttpClient;
  readonly #sources: { sourceId: string; parameterId: string }[] = [];
  /** The records answered 202 have these offsets, in seconds from START_MS; the value is the offset. The key is the source. */
  readonly #accepted = new Map<string, number[]>();
  readonly failures: Failure[] = [];
  /** This process itself did not run in these times, in Unix ms. */
  readonly stalls: { readonly fromMs: number; readonly toMs: number }[] = [];
  #isStopped = false;
  #next = 0;
  reads = 0;
  readonly #requests: Request[] = [];

  constructor(options: { readonly url: string; readonly key: string }) {
    this.#client = new HttpClient(options);
  }

  get writes(): number {
    return [...this.#accepted.values()].reduce((sum, offsets) => sum + offsets.length, 0);
  }

  /** Returns for every write when it was sent (Unix ms) and how long it took. */
  get durations(): readonly Pick<Request, 'atMs' | 'durationMs'>[] {
    return this.#requests.filter(({ what }) => what === 'write');
  }

  /** Returns how many requests were sent again, since the connection that was kept for them had been closed. */
  get repeated(): number {
    return this.#client.repeated;
  }

  /** Returns how long the writes took that were sent in one of these times. */
  latencyMs(quantile: number, times: readonly Times[]): number {
    const sorted = this.durations
      .filter(({ atMs }) => times.some(({ beganMs, endedMs }) => atMs >= beganMs && atMs < endedMs))
      .map(({ durationMs }) => durationMs)
      .sort((a, b) => a - b);
    return sorted[Math.floor(quantile * (sorted.length - 1))] ?? 0;
  }

  /** Returns the longest time in which no request of a kind was answered as it should be. */
  silenceMs(kind: Failure['what'], { beganMs, endedMs }: Times): number {
    const answeredMs = this.#requests
      .filter(({ what, isAnswered }) => what === kind && isAnswered)
      .map(({ atMs, durationMs }) => atMs + durationMs)
      .filter((ms) => ms > beganMs && ms < endedMs)
      .sort((a, b) => a - b);
    const ends = [beganMs, ...answeredMs, endedMs];
    return Math.max(...ends.slice(1).map((ms, index) => ms - (ends[index] ?? ms)));
  }

  /** Makes as many sources as named, with a parameter each. */
  async prepare(classPrefix: string, count: number): Promise<void> {
    const make = async (body: object) => ((await this.#client.json('POST', '/nodes', body)) as { _id: string })._id;
    const workspace = await make({ _class: `${classPrefix}.Workspace`, name: `Traffic ${Date.now()}` });
    const location = await make({ _class: `${classPrefix}.location.Location`, name: 'Site', parentId: workspace });
    for (let n = 0; n < count; n += 1) {
      const sourceId = await make({
        _class: `${classPrefix}.source.data.Jts`,
        name: `Source ${n}`,
        parentId: location,
      });
      await this.#client.json('PUT', `/nodes/${sourceId}/historic`, document([]));
      const nodes = (await this.#client.json('GET', '/nodes?attr=_id,parentId')) as {
        _id: string;
        parentId?: string;
      }[];
      this.#sources.push({ sourceId, parameterId: nodes.find(({ parentId }) => parentId === sourceId)?._id ?? '' });
      this.#accepted.set(sourceId, []);
    }
  }

  /** Runs until `stop`. Requests start at their times whatever the earlier ones do; resolves when all have ended. */
  async run(rates: { writesPerSecond: number; readsPerSecond: number }): Promise<void> {
    await Promise.all([
      this.#paced(rates.writesPerSecond, () => this.#write()),
      this.#paced(rates.readsPerSecond, () => this.#read()),
    ]);
  }

  stop(): void {
    this.#isStopped = true;
  }

  /** Returns the records that were answered 202 and cannot be read; waits for the last of them to arrive. */
  async missing(limitMs: number): Promise<number> {
    const deadline = Date.now() + limitMs;
    let missing = 0;
    for (const { sourceId, parameterId } of this.#sources) {
      const expected = this.#accepted.get(sourceId) ?? [];
      for (;;) {
        const found = await this.#stored(parameterId);
        const lost = expected.filter((offset) => !found.has(offset)).length;
        if (lost === 0 || Date.now() > deadline) {
          missing += lost;
          break;
        }
        await wait(500);
      }
    }
    return missing;
  }

  async #stored(parameterId: string): Promise<Set<number>> {
    const range = `startTime=${new Date(START_MS).toISOString()}&endTime=${new Date(START_MS + this.#next * 1_000).toISOString()}`;
    const { data } = (await this.#client.json('GET', `/nodes/${parameterId}/historic?${range}`)) as {
      data: { ts: string; f: { 0: { v: number } } }[];
    };
    return new Set(data.filter(({ ts, f }) => (Date.parse(ts) - START_MS) / 1_000 === f[0].v).map(({ f }) => f[0].v));
  }

  async #paced(perSecond: number, work: () => Promise<void>): Promise<void> {
    const running = new Set<Promise<void>>();
    let nextMs = performance.now();
    while (!this.#isStopped) {
      const early = nextMs - performance.now();
      if (early > 1) await wait(early);
      else if (early < -STALL_MS) this.#stalled(nextMs, performance.now());
      // Requests that were missed while this process stood still are not made up for: that would be another rate.
      nextMs = Math.max(nextMs, performance.now() - STALL_MS) + 1_000 / perSecond;
      const request: Promise<void> = work().finally(() => running.delete(request));
      running.add(request);
    }
    await Promise.all(running);
  }

  #stalled(fromMs: number, toMs: number): void {
    const [from, to] = [fromMs + performance.timeOrigin, toMs + performance.timeOrigin];
    // Writer and reader see the same stall.
    if (from > (this.stalls.at(-1)?.toMs ?? 0)) this.stalls.push({ fromMs: from, toMs: to });
  }

  async #write(): Promise<void> {
    const offset = this.#next;
    this.#next += 1;
    const { sourceId } = this.#sources[offset % this.#sources.length] ?? { sourceId: '' };
    const atMs = Date.now();
    const status = await this.#status('PUT', `/nodes/${sourceId}/historic`, document([offset]));
    if (status === 202) this.#accepted.get(sourceId)?.push(offset);
    this.#ended('write', atMs, status, 202);
  }

  async #read(): Promise<void> {
    const { parameterId } = this.#sources[this.reads % this.#sources.length] ?? { parameterId: '' };
    this.reads += 1;
    const atMs = Date.now();
    const status = await this.#status('GET', `/nodes/${parameterId}/historic?limit=10&endTime=2030-01-01T00:00:00Z`);
    this.#ended('read', atMs, status, 200);
  }

  #ended(what: Failure['what'], atMs: number, status: number | string, expected: number): void {
    const request = { atMs, durationMs: Date.now() - atMs, what };
    this.#requests.push({ ...request, isAnswered: status === expected });
    if (status !== expected) this.failures.push({ ...request, status });
  }

  /** Returns the status of a request, with the reason of a refusal; or the error's code. */
  async #status(method: 'GET' | 'PUT', path: string, body?: object): Promise<number | string> {
    try {
      const { status, text } = await this.#client.send(method, path, body);
      return status < 300 ? status : `${status} ${/"reason":"(\w+)"/.exec(text)?.[1] ?? text.slice(0, 60)}`;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code ?? String(error);
    }
  }
}

const document = (offsets: readonly number[]) => ({
  docType: 'jts',
  version: '1.0',
  header: { columns: { 0: { name: 'Level' } } },
  data: offsets.map((offset) => ({ ts: new Date(START_MS + offset * 1_000).toISOString(), f: { 0: { v: offset } } })),
});
