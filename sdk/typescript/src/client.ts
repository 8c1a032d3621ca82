import createFetch, { type Client as Api } from 'openapi-fetch';
import { type Calls, newKey } from './calls.ts';
import { argumentError } from './errors.ts';
import { Events } from './events.ts';
import type { paths } from './generated/api.ts';
import { Historic } from './historic.ts';
import { Nodes } from './nodes.ts';
import { DEFAULT_RETRY, type Fetch, type Retry, retrying } from './retry.ts';

export type ClientOptions = {
  /** The address, such as `https://catchment.example.org`. */
  readonly url: string;
  /** An API key. Without it requests carry what `headers` says, and the browser's session. */
  readonly key?: string;
  /** Each request has these headers more, such as `X-CSRF-Token` of a session. */
  readonly headers?: () => Readonly<Record<string, string>>;
  readonly retry?: Partial<Retry>;
  /** Replaces the global one, for tests and proxies. */
  readonly fetch?: Fetch;
};

/** A client of one Catchment. */
export class Client {
  /** Each operation of the API has its path and method, typed: `client.api.GET('/api/v1/owners/account')`. */
  readonly api: Api<paths>;
  readonly nodes: Nodes;
  readonly events: Events;
  readonly historic: Historic;
  readonly #headers: () => Readonly<Record<string, string>>;

  /** @throws CatchmentError `argument`: url is no address, or key no key */
  constructor({
    url,
    key,
    headers = () => ({}),
    retry: given,
    fetch: send = (request) => fetch(request),
  }: ClientOptions) {
    const baseUrl = addressOf(url);
    if (key !== undefined && !/^[\x21-\x7e]+$/.test(key))
      throw argumentError('key', 'must be the key alone, without blanks and line breaks');
    this.#headers = () => ({ ...(key !== undefined && { 'X-Api-Key': key }), ...headers() });
    const retry = { ...DEFAULT_RETRY, ...given };
    let skewMs: number | undefined;
    const seen = (response: Response) => {
      const date = Date.parse(response.headers.get('date') ?? '');
      // The header counts whole seconds, and the answer has travelled.
      if (!Number.isNaN(date)) skewMs = Math.abs(date - retry.now()) > 3_000 ? date - retry.now() : 0;
    };
    // A redirect must not carry the key to another place.
    const withKey: Fetch = (request) =>
      send(new Request(request, { headers: this.#with(request.headers), redirect: 'manual' }));
    this.api = createFetch<paths>({ baseUrl, fetch: retrying(withKey, retry, seen) });
    this.api.use({
      onRequest: ({ request }) => {
        if (request.method === 'POST' && !request.headers.has('idempotency-key'))
          request.headers.set('Idempotency-Key', newKey());
        return request;
      },
    });
    const addressed = (path: string, query: Readonly<Record<string, unknown>>): URL => {
      const address = new URL(`${baseUrl}/api/v1${path}`);
      for (const [name, value] of Object.entries(query))
        if (value !== undefined) address.searchParams.set(name, String(value));
      return address;
    };
    const download: Calls['download'] = (path, query, signal) =>
      retrying(withKey, retry, seen, false)(new Request(addressed(path, query), signal ? { signal } : {}));
    const open: Calls['open'] = (path, query, { lastId, signal }) => {
      const address = addressed(path, query);
      const asked = { accept: 'text/event-stream', ...(lastId !== undefined && { 'last-event-id': lastId }) };
      return withKey(new Request(address, { headers: asked, ...(signal && { signal }) }));
    };
    const calls: Calls = { api: this.api, open, download, retry };
    this.nodes = new Nodes(calls);
    this.events = new Events(calls);
    this.historic = new Historic(calls, async () => {
      if (skewMs === undefined)
        await retrying(withKey, retry, seen)(new Request(`${baseUrl}/api/v1/nodes`, { method: 'OPTIONS' }));
      return retry.now() + (skewMs ?? 0);
    });
  }

  #with(headers: Headers): Headers {
    const all = new Headers(headers);
    for (const [name, value] of Object.entries(this.#headers())) all.set(name, value);
    return all;
  }
}

function addressOf(url: string): string {
  const bare = url
    .trim()
    .replace(/\/+$/, '')
    .replace(/\/api\/v1$/, '');
  if (!/^https?:\/\/[^/]/.test(bare) || !URL.canParse(bare))
    throw argumentError('url', 'must be an address such as https://catchment.example.org');
  return bare;
}
