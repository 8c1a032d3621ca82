import { type ReadonlySignal, signal } from '@preact/signals';
import { client } from '../requests/client.ts';
import { onNodes } from '../streams/live.ts';
import type { Node } from './nodes.ts';

/** A list of others says these of a node. */
const ATTRIBUTES =
  '_id,_class,name,units,format,displayType,states,currentValue,currentTime,currentStateId,currentStatus,permissions';
/** A query of an address has an end (docs/reference/limits.md). */
const AT_ONCE = 60;
const REST_MS = 80;
/** This many nodes that were looked at last are kept. */
const MOST = 2_000;

/**
 * Reads details of nodes that stand in a list of something else, as they come into sight and many at a time. The signal changes when some
 * have come.
 */
export function nodeDetails(): {
  readonly of: (id: string) => Node | undefined;
  readonly version: ReadonlySignal<number>;
  readonly want: (ids: readonly string[]) => void;
  readonly release: () => void;
} {
  const known = new Map<string, Node | undefined>();
  const wanted = new Set<string>();
  const version = signal(0);
  const stop = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let restedMs = 0;
  let newsTimer: ReturnType<typeof setTimeout> | undefined;

  const read = async () => {
    timer = undefined;
    const ids = [...wanted].slice(0, AT_ONCE);
    if (ids.length === 0) return;
    for (const id of ids) {
      wanted.delete(id);
      known.set(id, known.get(id));
    }
    try {
      const filter = ids.map((id) => `_id($eq:${id})`).join('|');
      for await (const node of client.nodes.list({ filter, attr: ATTRIBUTES })) {
        const details = node as unknown as Node;
        known.set(details._id, details);
      }
    } catch {
      // They are asked for again when they are seen again.
      for (const id of ids) if (known.get(id) === undefined) known.delete(id);
    }
    while (known.size > MOST) known.delete(known.keys().next().value!);
    if (stop.signal.aborted) return;
    version.value += 1;
    if (wanted.size > 0) timer ??= setTimeout(() => void read(), 0);
  };
  /** A timer that is set anew in each frame of moving rows costs more than one that looks again. */
  const readRested = () => {
    const leftMs = restedMs - performance.now();
    if (leftMs <= 0) void read();
    else timer = setTimeout(readRested, leftMs);
  };
  const still = onNodes((news) => {
    if (news.kind === 'reset') {
      // Rights may be others.
      for (const id of known.keys()) wanted.add(id);
      if (wanted.size > 0) timer ??= setTimeout(() => void read(), REST_MS);
      return;
    }
    if (news.kind === 'removed') return;
    const before = known.get(news.node._id);
    if (!before) return;
    // News have the values; names and formats change with the revision alone.
    known.set(news.node._id, { ...before, ...news.node } as Node);
    // Values of many come at once.
    newsTimer ??= setTimeout(() => {
      newsTimer = undefined;
      version.value += 1;
    }, REST_MS);
  });
  return {
    of: (id) => known.get(id),
    version,
    want: (ids) => {
      // Rows that have moved past are not read: those that are seen count, once they rest.
      wanted.clear();
      for (const id of ids) if (!known.has(id)) wanted.add(id);
      restedMs = performance.now() + REST_MS;
      if (wanted.size > 0) timer ??= setTimeout(readRested, REST_MS);
    },
    release: () => {
      stop.abort();
      clearTimeout(timer);
      clearTimeout(newsTimer);
      still();
    },
  };
}
