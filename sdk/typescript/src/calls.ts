import type { Client as Api } from 'openapi-fetch';
import { CatchmentError } from './errors.ts';
import type { components, paths } from './generated/api.ts';
import type { Retry } from './retry.ts';

export type Schemas = components['schemas'];

/** Resources need this of their client. */
export type Calls = {
  /** Each operation of the API has its path, typed; a failure is thrown as a `CatchmentError`. */
  readonly api: Api<paths>;
  /** A stream is not tried again by itself: it goes on where it was. */
  readonly open: (
    path: string,
    query: Readonly<Record<string, string | undefined>>,
    options: { readonly lastId?: string | undefined; readonly signal?: AbortSignal | undefined },
  ) => Promise<Response>;
  /** Returns an answer whose body is read as it comes. */
  readonly download: (
    path: string,
    query: Readonly<Record<string, unknown>>,
    signal: AbortSignal | undefined,
  ) => Promise<Response>;
  readonly retry: Retry;
};

/** Browsers have `randomUUID` on pages that came over HTTPS only. */
export const newKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** Returns what a call answered; a failure was thrown. */
export function dataOf<T>({ data, response }: { data?: T; response: Response }): T {
  if (data === undefined)
    throw new CatchmentError('the answer is empty, which Catchment never answers here', {
      kind: 'unexpected',
      status: response.status,
    });
  return data;
}
