import aws4 from 'aws4';

/** A bucket is there, and requests to it are signed for this. */
export type S3Place = {
  readonly bucket: string;
  /** Another maker's server has this address, and its buckets lie below one name; undefined for AWS. */
  readonly endpoint?: string | undefined;
  readonly region: string;
};
export type S3Key = { readonly accessKeyId: string; readonly secretAccessKey: string };

export type S3Ask = {
  readonly method: 'GET' | 'DELETE';
  /** Key; absent for the bucket. */
  readonly object?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
};

/** undici takes this: the path stays as it is, also with segments such as `..`, which URLs lose. */
type SignedRequest = {
  readonly origin: string;
  readonly method: 'GET' | 'DELETE';
  readonly path: string;
  readonly headers: Record<string, string>;
};

/** A signed request (AWS Signature Version 4). */
export function s3Request(ask: S3Ask, bucket: S3Place, { key, nowMs }: { key: S3Key; nowMs: number }): SignedRequest {
  const { origin, host, base } = baseOf(bucket);
  const { method, object, query = {}, headers = {} } = ask;
  const text = Object.entries(query)
    .map(([name, value]) => `${name}=${encoded(value)}`)
    .join('&');
  const place = object === undefined ? base || '/' : `${base}/${object.split('/').map(encoded).join('/')}`;
  const path = `${place}${text && `?${text}`}`;
  const signed = aws4.sign(
    {
      service: 's3',
      region: bucket.region,
      host,
      method,
      path,
      headers: { ...headers, 'x-amz-date': basicTime(nowMs) },
    },
    key,
  );
  return { origin, method, path: signed.path ?? path, headers: signed.headers as Record<string, string> };
}

/** Such names can be a part of a host, under one certificate. */
const HOST_PART = /^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/;

/** @returns the path below which the objects of the bucket lie, empty where the host is that of the bucket */
function baseOf({ bucket, endpoint, region }: S3Place): { origin: string; host: string; base: string } {
  if (endpoint !== undefined) {
    const { origin, host, pathname } = new URL(endpoint);
    return { origin, host, base: `${pathname.replace(/\/+$/, '')}/${encoded(bucket)}` };
  }
  const host = `s3.${region}.amazonaws.com`;
  if (!HOST_PART.test(bucket)) return { origin: `https://${host}`, host, base: `/${encoded(bucket)}` };
  return { origin: `https://${bucket}.${host}`, host: `${bucket}.${host}`, base: '' };
}

/** RFC 3986, 2.3: what is not unreserved is encoded. */
const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);

/** The basic form of ISO 8601 has no separators: 20240515T120000Z. */
const basicTime = (ms: number): string =>
  Temporal.Instant.fromEpochMilliseconds(ms).toString({ smallestUnit: 'second' }).replace(/[-:]/g, '');
