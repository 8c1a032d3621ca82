import { createHash } from 'node:crypto';
import type { FetchedFile } from '../../files/index.ts';

/** A file that has grown is recognized by this many first bytes. */
export const HEAD_BYTES = 1024;

export type Plan =
  | { readonly kind: 'NOTHING' | 'WHOLE' }
  /** It has grown: from `readTo` on, if its head is the same. */
  | { readonly kind: 'GROWN'; readonly known: Grown };

export type Grown = FetchedFile & { readonly sizeBytes: number; readonly head: string; readonly readTo: number };

type Listed = { readonly sizeBytes?: number; readonly modifiedMs?: number };

/**
 * Decides what of a listed file is read (docs/reference/acquisition.md#what-is-new).
 * @param rules.mayGrow whether its format lets a part be read without the rest
 */
export function planOf(
  file: Listed,
  known: FetchedFile | undefined,
  rules: { readonly readsAll: boolean; readonly mayGrow: boolean; readonly acquireTimeMs: number | undefined },
): Plan {
  if (rules.readsAll || !known || isReset(known, rules.acquireTimeMs)) return { kind: 'WHOLE' };
  const { sizeBytes, modifiedMs } = file;
  if (sizeBytes === undefined || known.sizeBytes === undefined) return { kind: 'WHOLE' };
  const isTouched = modifiedMs !== undefined && known.modifiedMs !== undefined && modifiedMs !== known.modifiedMs;
  if (sizeBytes === known.sizeBytes && !isTouched) return { kind: 'NOTHING' };
  return rules.mayGrow && sizeBytes > known.sizeBytes && isGrown(known) ? { kind: 'GROWN', known } : { kind: 'WHOLE' };
}

const isGrown = (known: FetchedFile): known is Grown => known.head !== undefined && (known.readTo ?? 0) > 0;

/** Its collection begins anew: it was ignored, or somebody set another `acquireTime`. */
export const isReset = (known: FetchedFile, acquireTimeMs: number | undefined): boolean =>
  known.isIgnored === true || known.acquireTimeMs !== acquireTimeMs;

/** A key of bounded length. */
export const keyOf = (kind: 'path' | 'entry', name: string): string =>
  createHash('sha256').update(`${kind} ${name}`).digest('base64url').slice(0, 24);

export const headOf = (start: Uint8Array): string =>
  createHash('sha256').update(start.subarray(0, HEAD_BYTES)).digest('base64url');
