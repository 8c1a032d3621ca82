/** A page has at most this many requests for data open at a time, so that a large dashboard does not crowd out other readers. */
const MOST_AT_ONCE = 4;

export type Get = <T>(url: string, signal: AbortSignal) => Promise<T>;

/** An answer other than 2xx. */
export class RefusedRequest extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.name = 'RefusedRequest';
    this.status = status;
  }
}

/** Runs tasks in the order in which they come, `most` at a time; one that is aborted while it waits never begins. */
export function inTurn(most: number) {
  const waiting: (() => void)[] = [];
  let running = 0;
  const next = () => {
    while (running < most && waiting.length > 0) waiting.shift()!();
  };
  return <T>(task: () => Promise<T>, signal: AbortSignal): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      const begin = () => {
        signal.removeEventListener('abort', giveUp);
        running += 1;
        task()
          .then(resolve, reject)
          .finally(() => {
            running -= 1;
            next();
          });
      };
      const giveUp = () => {
        waiting.splice(waiting.indexOf(begin), 1);
        reject(signal.reason);
      };
      if (signal.aborted) return reject(signal.reason);
      signal.addEventListener('abort', giveUp, { once: true });
      waiting.push(begin);
      next();
    });
}

const take = inTurn(MOST_AT_ONCE);

async function answerOf(url: string, accept: string, signal: AbortSignal): Promise<Response> {
  const response = await fetch(url, { signal, headers: { accept } });
  if (!response.ok) throw new RefusedRequest(response.status, `${response.status} ${response.statusText}`);
  return response;
}

export const getJson: Get = (url, signal) =>
  take(async () => (await answerOf(url, 'application/json', signal)).json(), signal);

export const getText = (url: string, signal: AbortSignal): Promise<string> =>
  take(async () => (await answerOf(url, '*/*', signal)).text(), signal);

/** Returns the address with these arguments, beside those that it has already; addresses are relative to the origin. */
export function withArguments(address: string, values: Readonly<Record<string, string | number>>): string {
  const [path = '', query = ''] = address.split('?', 2);
  const all = new URLSearchParams(query);
  for (const [name, value] of Object.entries(values)) all.set(name, String(value));
  return all.size === 0 ? path : `${path}?${all}`;
}

/** Sends a change to the API. @returns why it was refused, for people */
export async function postChange(
  method: 'POST' | 'PUT',
  address: string,
  body: unknown,
  csrf: string,
): Promise<string | undefined> {
  const headers = { 'content-type': 'application/json', 'x-csrf-token': csrf };
  try {
    const response = await fetch(address, { method, headers, body: JSON.stringify(body) });
    if (response.ok) return undefined;
    const { error } = (await response.json().catch(() => ({}))) as { error?: { message?: string } };
    return error?.message ?? `The server answered ${response.status}.`;
  } catch {
    return 'It could not be sent: there is no connection.';
  }
}
