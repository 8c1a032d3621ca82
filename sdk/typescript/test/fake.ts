import { Client, type ClientOptions } from '../src/index.ts';

export const URL_OF_FAKE = 'https://catchment.test';
export const KEY = 'SecretKeySecretKeySecretKeySecretKey0123';
export const NOW = Date.parse('2023-11-14T22:13:20Z');

type Answer = Response | Error | ((request: Request) => Response);

/** Gives the answers in order, the last one again and again, and remembers what was asked. */
export function fake(...answers: Answer[]) {
  const requests: Request[] = [];
  const slept: number[] = [];
  const send = async (request: Request): Promise<Response> => {
    requests.push(request.clone());
    const answer = answers.length > 1 ? (answers.shift() as Answer) : (answers[0] as Answer);
    if (answer instanceof Error) throw answer;
    return answer instanceof Response ? answer.clone() : answer(request);
  };
  const sleep = async (seconds: number) => {
    if (seconds > 0) slept.push(Math.round(seconds * 100) / 100);
  };
  const client = (options: Partial<ClientOptions> = {}) =>
    new Client({
      url: URL_OF_FAKE,
      key: KEY,
      fetch: send,
      retry: { random: () => 1, now: () => NOW, sleep },
      ...options,
    });
  return { client, requests, slept, query: (n = -1) => new URL(requests.at(n)?.url ?? '').searchParams };
}

export const json = (body: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json', ...headers } });

export const failed = (code: number, message = 'Too many requests', headers: Record<string, string> = {}): Response =>
  json({ error: { code, message, reason: 'A_REASON' } }, code, { 'X-Request-Id': 'r-1', ...headers });

export const page = (status: number): Response =>
  new Response('<h1>Bad gateway</h1>', { status, headers: { 'Content-Type': 'text/html' } });

export const accepted = (more: object = {}): Response =>
  json({ status: { code: 202, message: 'accepted' }, ...more }, 202);

type Rows = readonly (readonly [string, Record<string, unknown>])[];
export const document = (rows: Rows, header: object = {}): Response =>
  json({
    docType: 'jts',
    version: '1.0',
    header: { columns: { 0: { id: '1'.repeat(24), name: 'Level', units: 'm', dataType: 'NUMBER' } }, ...header },
    data: rows.map(([ts, f]) => ({ ts, f })),
  });

/** Returns a stream of server-sent events; `cut`: it breaks off. */
export function sse(messages: readonly string[], cut = false): () => Response {
  return () => {
    const bytes = new TextEncoder().encode(messages.map((message) => `${message}\n\n`).join(''));
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(bytes);
        if (cut) setImmediate(() => controller.error(new TypeError('terminated')));
        else controller.close();
      },
    });
    return new Response(body, { headers: { 'Content-Type': 'text/event-stream; charset=utf-8' } });
  };
}

/** A write's body, unpacked. */
type Sent = { readonly header: { readonly columns: object }; readonly data: readonly unknown[] };
export async function sent(request: Request | undefined): Promise<Sent> {
  const body = (request as Request).body as ReadableStream<Uint8Array<ArrayBuffer>>;
  return new Response(body.pipeThrough(new DecompressionStream('gzip'))).json() as Promise<Sent>;
}
