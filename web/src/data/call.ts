import { client } from './client.ts';

type Query = Readonly<Record<string, string | number | boolean | undefined>>;
type Asked = { readonly query?: Query; readonly body?: unknown; readonly signal?: AbortSignal; readonly ifMatch?: number };

/**
 * A call of the public API by its path, with retries and errors of the client. For paths that the client has types of,
 * `client.api` is better.
 */
export async function call<T>(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: `/${string}`,
  { query, body, signal, ifMatch }: Asked = {},
): Promise<T> {
  const run = client.api.request as unknown as (
    method: string,
    path: string,
    init: object,
  ) => Promise<{ data?: unknown }>;
  const { data } = await run(method.toLowerCase(), `/api/v1${path}`, {
    ...(query && { params: { query } }),
    ...(body !== undefined && { body }),
    ...(signal && { signal }),
    ...(ifMatch !== undefined && { headers: { 'If-Match': `"${ifMatch}"` } }),
  });
  return data as T;
}
