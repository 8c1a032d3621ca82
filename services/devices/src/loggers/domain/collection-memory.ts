/** A table was collected so far. */
export type Pointer = {
  /** The table's definition has this signature: under another definition the numbers stand for other records. */
  readonly signature: number;
  /** Number of the last record. */
  readonly number: number;
  /** The last record has this time by the logger's clock. */
  readonly timeMs: number;
  /** The time was understood as this; Unix ms. */
  readonly instantMs: number;
};

/** This is remembered of a source between sessions. */
export type CollectionMemory = {
  readonly pointers: Readonly<Record<string, Pointer>>;
  /** This acquireTime was obeyed already. */
  readonly acquireMs: number | null;
};

const isPointer = (value: unknown): value is Pointer => {
  const { signature, number, timeMs, instantMs } = (value ?? {}) as Partial<Pointer>;
  return [signature, number, timeMs, instantMs].every((number) => Number.isFinite(number));
};

/**
 * Returns what a session begins with. A new acquireTime forgets all pointers.
 * @param memory as it was remembered, or anything else
 */
export function readMemory(memory: unknown, acquireMs: number | undefined): CollectionMemory {
  const { pointers, acquireMs: obeyed = null } = (memory ?? {}) as Partial<CollectionMemory>;
  const isAnew = acquireMs !== undefined && acquireMs !== obeyed;
  const known = isAnew || typeof pointers !== 'object' ? {} : pointers;
  return {
    pointers: Object.fromEntries(Object.entries(known).filter(([, value]) => isPointer(value))),
    acquireMs: acquireMs ?? null,
  };
}
