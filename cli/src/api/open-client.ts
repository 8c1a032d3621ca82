import { setTimeout as delay } from 'node:timers/promises';
import { CatchmentError, Client } from '@catchment/client';
import { REMOTE_LIMITS } from '@catchment/egress';
import { type ApiOptions, apiSettings } from './api-options.ts';

/** Attempts of one request, together some seconds: somebody waits. */
const TRIES = 4;

export type Opened = {
  readonly client: Client;
  /** Tries again without an end until it is there, for what follows. */
  readonly patient: Client;
  readonly url: string;
};

/**
 * Opens the public API by the TypeScript client, like any program. It writes to standard error what it waits for.
 * @throws UsageError when no address or key is known
 */
export async function openClient(options: ApiOptions, { tries = TRIES } = {}): Promise<Opened> {
  const { url, key } = await apiSettings(options);
  const sleep = async (seconds: number, signal?: AbortSignal): Promise<void> => {
    if (seconds > 1)
      console.error(`${url} did not take it, or cannot be reached; trying again in ${seconds.toFixed(0)} s`);
    await delay(seconds * 1_000, undefined, signal && { signal });
  };
  const shared = { url, key, fetch: bounded };
  return {
    client: new Client({ ...shared, retry: { tries, sleep } }),
    patient: new Client({ ...shared, retry: { tries: Number.POSITIVE_INFINITY, sleep } }),
    url,
  };
}

/** Answers that are held whole have a limit; what is read as it comes has none. */
async function bounded(request: Request): Promise<Response> {
  const response = await fetch(request);
  if (!response.body || isReadAsItComes(request, response)) return response;
  const { maxBytes } = REMOTE_LIMITS.api;
  let bytes = 0;
  const counted = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.length;
        if (bytes <= maxBytes) controller.enqueue(chunk);
        else controller.error(tooLarge(maxBytes));
      },
    }),
  );
  const { status, statusText, headers } = response;
  return new Response(counted, { status, statusText, headers });
}

const tooLarge = (maxBytes: number): CatchmentError =>
  new CatchmentError(`the answer has more than ${maxBytes / 1024 / 1024} MiB`, { kind: 'too_large' });

const isReadAsItComes = ({ url }: Request, { headers }: Response): boolean =>
  (headers.get('content-type') ?? '').startsWith('text/event-stream') ||
  (url.includes('/historic?') && new URL(url).searchParams.has('format'));
