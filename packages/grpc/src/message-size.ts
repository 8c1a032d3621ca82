import { received } from '@catchment/errors';
import { MAX_MESSAGE_BYTES } from './channel-options.ts';

/** Estimates what a message holds in bytes and texts, which are what is large in one. Returns at most what it has on a wire. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 1;
  if (ArrayBuffer.isView(value)) return value.byteLength;
  let size = 0;
  if (Array.isArray(value)) {
    if (typeof value[0] === 'number') return value.length;
    for (const part of value) size += sizeOf(part);
  } else for (const name in value) size += sizeOf((value as Record<string, unknown>)[name]);
  return size;
}

/** Neither way takes more. @throws DomainError resource_exhausted @returns the size */
export function checkSize(message: unknown): number {
  const size = sizeOf(message);
  if (size <= MAX_MESSAGE_BYTES) return size;
  const text = `Attempted to send message with a size larger than ${MAX_MESSAGE_BYTES}`;
  throw received({ kind: 'resource_exhausted', reason: 'RESOURCE_EXHAUSTED', message: text });
}
