import { createHash } from 'node:crypto';

/** Answers longer than this are compressed where the client accepts it (docs/reference/limits.md). */
export const COMPRESS_ABOVE_BYTES = 1024;

/** Returns whether an Accept-Encoding header lists gzip without refusing it (`q=0`). */
export function acceptsGzip(header: string | undefined): boolean {
  for (const item of (header ?? '').split(',')) {
    const [coding = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase());
    if (coding === 'gzip') return !parameters.some((parameter) => /^q\s*=\s*0(\.0*)?$/.test(parameter));
  }
  return false;
}

/** PNG, JPG, PDF and Parquet are compressed already (docs/reference/requests-and-errors.md#headers). */
export const isCompressible = (contentType: string): boolean =>
  !/^(image\/(png|jpeg)|application\/(pdf|vnd\.apache\.parquet))\b/.test(contentType);

/** Makes a weak validator over parts, each with its length so that they cannot run together. */
export function weakEtag(...parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:`).update(part);
  return `W/"${hash.digest('base64url').slice(0, 27)}"`;
}

/** Compares If-None-Match with a validator weakly (RFC 9110, 13.1.2). */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '');
  return header.split(',').some((tag) => opaque(tag) === opaque(etag));
}
