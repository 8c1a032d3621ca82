/** A query of an address has an end (docs/reference/limits.md). */
export const AT_ONCE = 60;
/** This many changed ones are cheaper read with all others. */
const MANY = 10 * AT_ONCE;
const LONGEST_MS = 60_000;

type Reading = {
  /** News come in bursts. */
  readonly settleMs: number;
  /** Reads these anew, at most AT_ONCE of them; what it fails with is tried again. */
  readonly read: (keys: readonly string[]) => Promise<void>;
  readonly readAll: () => void;
};
type Later = (work: () => void, ms: number) => () => void;
const later: Later = (work, ms) => {
  const timer = setTimeout(work, ms);
  return () => clearTimeout(timer);
};

/** Reads anew what news name, a moment later and many at a time. What could not be read is tried again, more and more seldom. */
export function readSoon({ settleMs, read, readAll }: Reading, after: Later = later) {
  const changed = new Set<string>();
  let cancel: (() => void) | undefined;
  let failures = 0;
  let isOver = false;
  const plan = () => {
    if (isOver || changed.size === 0) return;
    cancel ??= after(() => void run(), Math.min(settleMs * 2 ** failures, LONGEST_MS));
  };
  const run = async () => {
    if (changed.size > MANY) {
      cancel = undefined;
      changed.clear();
      return readAll();
    }
    const keys = [...changed].slice(0, AT_ONCE);
    for (const key of keys) changed.delete(key);
    try {
      await read(keys);
      failures = 0;
    } catch {
      // These reads are tried again; the connection bar reports a server that is away.
      failures += 1;
      for (const key of keys) changed.add(key);
    }
    cancel = undefined;
    plan();
  };
  return {
    add: (key: string) => {
      changed.add(key);
      plan();
    },
    /** All is read in another way. */
    forget: () => changed.clear(),
    end: () => {
      isOver = true;
      cancel?.();
    },
  };
}
