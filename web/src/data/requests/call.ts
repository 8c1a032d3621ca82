import { client } from './client.ts';

/** Returns the address of a node in the API. */
export const nodePath = (id: string) => `/nodes/${encodeURIComponent(id)}` as const;

type Query = Readonly<Record<string, string | number | boolean | undefined>>;
type Asked = {
  readonly query?: Query;
  /** A form goes as it is. */
  readonly body?: unknown;
  /** The body is a text of this type in place of JSON. */
  readonly textType?: string;
  readonly signal?: AbortSignal;
  readonly ifMatch?: number;
  /** The answer is a text and no JSON, such as a picture in SVG. */
  readonly isText?: boolean;
  /**
   * The same request may be sent again with this key (docs/reference/requests-and-errors.md#repeated-requests); absent, it gets a new one.
   */
  readonly key?: string | undefined;
};

/**
 * Calls the public API by a path, with retries and errors of the client. For paths that the client has types of,
 * `client.api` is better.
 */
export async function call<T>(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: `/${string}`,
  { query, body, textType, signal, ifMatch, key, isText }: Asked = {},
): Promise<T> {
  const run = client.api.request as unknown as (
    method: string,
    path: string,
    init: object,
  ) => Promise<{ data?: unknown }>;
  const headers = {
    ...(ifMatch !== undefined && { 'If-Match': `"${ifMatch}"` }),
    ...(key !== undefined && { 'Idempotency-Key': key }),
    ...(textType !== undefined && { 'Content-Type': textType }),
  };
  const { data } = await run(method.toLowerCase(), `/api/v1${path}`, {
    ...(query && { params: { query } }),
    ...(body !== undefined && { body }),
    ...(textType !== undefined && { bodySerializer: (text: unknown) => text }),
    ...(signal && { signal }),
    ...(isText && { parseAs: 'text' }),
    ...(Object.keys(headers).length > 0 && { headers }),
  });
  return data as T;
}
