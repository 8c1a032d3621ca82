import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from '@catchment/testkit';
import { type Api, MODEL, unique } from './api.ts';
import type { Installation } from './installation.ts';

/** The server keeps its requests waiting, and knows how many of a path there are at a time. */
class SlowServer {
  readonly #server = createServer((request, response) => this.#take(request.url ?? '', response));
  readonly #waiting = new Map<ServerResponse, string>();
  #isSlow = true;
  /** A path had at most this many requests at a time. */
  most = 0;
  total = 0;
  /** The clients of these requests went away before the answer. */
  brokenOff = 0;

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Returns paths that are asked for just now. */
  get waiting(): string[] {
    return [...this.#waiting.values()];
  }

  /** Answers everything from now on. */
  release(): void {
    this.#isSlow = false;
    for (const response of this.#waiting.keys()) answer(response);
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #take(path: string, response: ServerResponse): void {
    this.total += 1;
    this.#waiting.set(response, path);
    response.on('close', () => {
      this.#waiting.delete(response);
      if (!response.writableFinished) this.brokenOff += 1;
    });
    this.most = Math.max(this.most, this.waiting.filter((waiting) => waiting === path).length);
    if (!this.#isSlow) answer(response);
  }
}

function answer(response: ServerResponse): void {
  response.setHeader('Content-Type', 'text/csv');
  response.end('2024-01-01 00:00:00,1.5\n');
}

/** Makes sources that download from the server, each a separate path. */
export async function downloadSources(api: Api, url: string, count: number): Promise<string[]> {
  const { locationId } = await api.createSite(unique('Downloads'));
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const source = await api.create({
      _class: `${MODEL}.source.data.TextParser`,
      name: `Download ${n}`,
      parentId: locationId,
      transport: { _class: `${MODEL}.transport.HttpDownload` },
      files: [{ match: `${url}/${n}.csv` }],
      parser: {
        columns: [
          { index: 0, type: 'RECORD_TIME', joins: [{ column: 0, field: 'TIME', format: 'YYYY-MM-DD HH:mm:ss' }] },
          { index: 1, type: 'NUMBER', series: 'level' },
        ],
      },
    });
    ids.push(source._id);
  }
  return ids;
}

/**
 * Sessions are under way when a process that holds some of them, or all, is killed.
 * @returns seconds from then until the last of these was begun anew, how many there were, how often sources were asked again, and the
 * most requests of one source at a time
 */
export async function takeSessionsOver(
  { api, kill }: Pick<Installation, 'api' | 'kill'>,
  count: number,
): Promise<{ seconds: number; killed: number; begunAnew: number; most: number }> {
  const server = new SlowServer();
  try {
    const sources = await downloadSources(api, await server.listen(), count);
    for (const id of sources) {
      const answered = await api.post(`/nodes/${id}/operate/acquire`);
      if (answered.status !== 202) throw new Error(`acquire now answered ${answered.status}: ${answered.text}`);
    }
    const isAllUnderWay = () => new Set(server.waiting).size === count;
    await until(isAllUnderWay, { what: 'every source is asked for' });
    const beganMs = performance.now();
    // Requests of the API have woken its worker.
    const killed = kill('devices');
    await until(() => server.brokenOff > 0, { what: 'requests have broken off' });
    await until(isAllUnderWay, { what: 'every session is begun anew' });
    const { brokenOff } = server;
    const seconds = (performance.now() - beganMs) / 1_000;
    await killed;
    server.release();
    for (const id of sources)
      await until(
        async () => {
          const { currentStatus, totalCommsSuccess } = (await api.get(`/nodes/${id}`)).json;
          return currentStatus === 'IDLE' && totalCommsSuccess === 1;
        },
        { everyMs: 250, what: 'the source is at rest after one success' },
      );
    return { seconds, killed: brokenOff, begunAnew: server.total - count, most: server.most };
  } finally {
    server.close();
  }
}
