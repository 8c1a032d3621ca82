import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { type EventStream, openEventStream, type StreamMessage, until } from '@catchment/testkit';
import type { Api } from './api.ts';

export const openStream = (path: string, by: Api, lastId = ''): Promise<EventStream> =>
  openEventStream(`${by.url}/api/v1${path}`, {
    'X-Api-Key': by.key,
    ...(lastId !== '' && { 'Last-Event-ID': lastId }),
  });

/** Follows a stream as a browser does: connects again where it was, whenever the connection is lost. */
export class Follower {
  readonly ends: string[] = [];
  readonly #path: string;
  readonly #api: Api;
  readonly #before: StreamMessage[] = [];
  readonly #following: Promise<void>;
  #stream: EventStream | undefined;
  #lastId = '';
  readonly #stopping = new AbortController();

  constructor(path: string, api: Api) {
    this.#path = path;
    this.#api = api;
    this.#following = this.#follow();
  }

  async begun(): Promise<this> {
    await until(() => this.#stream?.state.lastId);
    return this;
  }

  messages(): StreamMessage[] {
    return [...this.#before, ...(this.#stream?.messages ?? [])];
  }

  /** The messages of its events. */
  seen(): string[] {
    return this.messages().flatMap(({ event, data }) => (event === '' ? data.message : []));
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#following;
  }

  async #follow(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const stream = await openStream(this.#path, this.#api, this.#lastId).catch(() => undefined);
      if (stream?.response.statusCode === 200) {
        this.#stream = stream;
        if (!stream.state.isOver) await once(stream.response, 'close', { signal }).catch(() => {});
        this.#stream = undefined;
        this.#before.push(...stream.messages);
        this.#lastId = stream.state.lastId || this.#lastId;
        this.ends.push(...stream.messages.filter(({ event }) => event === 'end').map(({ data }) => data.reason));
      }
      stream?.leave();
      await delay(50);
    }
  }
}
