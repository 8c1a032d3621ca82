import { Client } from '@catchment/client';
import { inSession } from './send.ts';

type SendOptions = {
  readonly signal: AbortSignal;
  /** The same file may be sent again with this key (docs/reference/requests-and-errors.md#repeated-requests). */
  readonly key: string;
  /** The part goes from 0 to 1, of the bytes that have left; again from 0 where it is tried again. */
  readonly onSent: (part: number) => void;
};

/** Sends a file or a form as the client sends a request, and reports how much has left, which fetch does not report. */
export async function sendFile<T>(path: `/${string}`, body: Blob | FormData, options: SendOptions): Promise<T> {
  const { signal, key, onSent } = options;
  const client = new Client({
    url: location.origin,
    retry: { tries: 3, maxWaitSeconds: 30 },
    fetch: ({ url, headers }) =>
      inSession(
        (session) => post(url, { ...Object.fromEntries(headers), ...session }, body, { signal, onSent }),
        signal,
      ),
  });
  const run = client.api.request as unknown as (
    method: string,
    path: string,
    init: object,
  ) => Promise<{ readonly data?: T }>;
  const { data } = await run('post', `/api/v1${path}`, { headers: { 'Idempotency-Key': key }, signal });
  return data as T;
}

type PostOptions = Pick<SendOptions, 'signal' | 'onSent'>;

function post(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: Blob | FormData,
  { signal, onSent }: PostOptions,
): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  const request = new XMLHttpRequest();
  const stop = () => request.abort();
  request.open('POST', url);
  for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
  // A form names its type itself, with the mark that parts it.
  if (body instanceof Blob) request.setRequestHeader('Content-Type', body.type || 'application/octet-stream');
  request.upload.onprogress = ({ loaded, total }) => onSent(total > 0 ? loaded / total : 0);
  request.onload = () => resolve(answerOf(request));
  request.onerror = () => reject(new TypeError('the connection was lost'));
  request.onabort = () => reject(signal.reason);
  request.onloadend = () => signal.removeEventListener('abort', stop);
  signal.throwIfAborted();
  signal.addEventListener('abort', stop);
  onSent(0);
  request.send(body);
  return promise;
}

function answerOf(request: XMLHttpRequest): Response {
  const lines = request.getAllResponseHeaders().trim().split(/\r?\n/);
  const headers = lines.map((line): [string, string] => {
    const at = line.indexOf(':');
    return [line.slice(0, at).trim(), line.slice(at + 1).trim()];
  });
  // The browser has unpacked it.
  const kept = headers.filter(([name]) => name !== '' && !/^content-(?:encoding|length)$/i.test(name));
  return new Response(request.responseText, { status: request.status, headers: kept });
}
