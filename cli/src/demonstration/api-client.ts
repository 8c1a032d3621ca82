/** The public API as the demonstration uses it: like any client program, with a key and nothing else. */
export class ApiClient {
  readonly #baseUrl: string;
  readonly #key: string;

  constructor(baseUrl: string, key: string) {
    this.#baseUrl = `${baseUrl}/api/v1`;
    this.#key = key;
  }

  /** @throws Error with the API's own message when the status is not as expected */
  async send(method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown): Promise<unknown> {
    const response = await this.#fetch(method, path, body);
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text.slice(0, 500)}`);
    return text === '' ? undefined : JSON.parse(text);
  }

  /** The resource, or undefined when there is none. */
  async find(path: string): Promise<{ _id: string } | undefined> {
    const response = await this.#fetch('GET', path);
    if (response.status === 404) {
      await response.body?.cancel();
      return undefined;
    }
    const text = await response.text();
    if (!response.ok) throw new Error(`GET ${path} answered ${response.status}: ${text.slice(0, 500)}`);
    return JSON.parse(text) as { _id: string };
  }

  #fetch(method: string, path: string, body?: unknown): Promise<Response> {
    return fetch(this.#baseUrl + path, {
      method,
      headers: { 'X-Api-Key': this.#key, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(60_000),
    });
  }
}
