import { type ReadonlySignal, signal } from '@preact/signals';
import { literal } from '../nodes/changes.ts';
import { client } from '../requests/client.ts';
import { AT_ONCE, readSoon } from '../requests/read-soon.ts';
import { onEvents, onNodes } from '../streams/live.ts';
import { type Device, listDevices } from './devices.ts';

/** More devices are not held: of more the server looks for what is typed. */
export const MOST_DEVICES = 10_000;
/** A page has this many; the first one is shown while the others are on their way. */
const PAGE = 1_000;
/** Devices that come back after a failure come in bursts. */
const SETTLE_MS = 700;
/** The list is read again for what no event reports, such as a new device of somebody else. */
const AGAIN_MS = 60_000;

export type HeldDevices = {
  readonly list: readonly Device[];
  readonly isLoading: boolean;
  /** There are more than are held. */
  readonly hasMore: boolean;
  readonly error?: unknown;
};

/** Finds the key that an event of a source names: `Device 490154203237518 connected`. */
export const deviceNamedIn = (message: string): string | undefined => /^Device (\d{12}|\d{15}) /.exec(message)?.[1];

/** Holds the devices that the person may see, kept current by events of who connects and leaves. @param text looked for by the server */
export function holdDevices(text: string): {
  readonly value: ReadonlySignal<HeldDevices>;
  readonly reload: () => void;
  readonly release: () => void;
} {
  const value = signal<HeldDevices>({ list: [], isLoading: true, hasMore: false });
  const word = literal(text.trim());
  const wanted = word === '' ? {} : { filter: `deviceKey($match:${word})|phoneNumber($match:${word})` };
  let stop = new AbortController();

  const load = async () => {
    stop.abort();
    const controller = new AbortController();
    stop = controller;
    const list: Device[] = [];
    const isFirst = value.peek().list.length === 0;
    try {
      for (let hasMore = true; hasMore; ) {
        const limit = Math.min(PAGE, MOST_DEVICES + 1 - list.length);
        const page = await listDevices({ ...wanted, limit, skip: list.length }, controller.signal);
        if (controller.signal.aborted) return;
        list.push(...page);
        hasMore = page.length === limit && list.length <= MOST_DEVICES;
        // The devices that were shown before stay until all are here.
        if (!hasMore || isFirst)
          value.value = {
            list: list.slice(0, MOST_DEVICES),
            isLoading: hasMore,
            hasMore: list.length > MOST_DEVICES,
          };
      }
    } catch (error) {
      if (!controller.signal.aborted) value.value = { ...value.peek(), isLoading: false, error };
    }
  };
  const soon = readSoon({
    settleMs: SETTLE_MS,
    read: async (keys) => {
      const { signal } = stop;
      const filter = keys.map((key) => `deviceKey($eq:${key})`).join('|');
      const read = await listDevices({ filter, limit: AT_ONCE }, signal).catch((error: unknown) => {
        if (!signal.aborted) throw error;
      });
      if (!read || signal.aborted) return;
      const byId = new Map(read.map((device) => [device._id, device]));
      value.value = { ...value.peek(), list: value.peek().list.map((device) => byId.get(device._id) ?? device) };
    },
    readAll: () => void load(),
  });
  const stops = [
    onEvents((event) => {
      const key = deviceNamedIn(event.message ?? '');
      if (key !== undefined) soon.add(key);
    }),
    onNodes((news) => news.kind === 'reset' && void load()),
  ];
  const regular = setInterval(() => {
    if (document.visibilityState === 'visible' && !value.peek().isLoading && value.peek().list.length <= PAGE)
      void load();
  }, AGAIN_MS);
  void load();
  return {
    value,
    reload: () => void load(),
    release: () => {
      soon.end();
      stop.abort();
      clearInterval(regular);
      for (const end of stops) end();
    },
  };
}

const READINGS = { 'Status - Signal': 'signal', 'Status - Battery': 'battery', 'Status - Supply': 'supply' } as const;
/** A modem has this status: dBm, %, V, and when it was reported last. */
export type Readings = Partial<Record<(typeof READINGS)[keyof typeof READINGS], number>> & { readonly time?: string };
type Reading = {
  readonly _id: string;
  readonly parentId: string;
  readonly series: keyof typeof READINGS;
  readonly currentValue?: unknown;
  readonly currentTime?: string | null;
};
const MOST_READINGS = 3 * MOST_DEVICES;

/** Holds what modems say of themselves, by the source whose series it became. */
export function holdReadings(): {
  readonly value: ReadonlySignal<ReadonlyMap<string, Readings>>;
  readonly release: () => void;
} {
  const value = signal<ReadonlyMap<string, Readings>>(new Map());
  const known = new Map<string, Reading>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  const publish = () => {
    timer = undefined;
    const bySource = new Map<string, Readings>();
    for (const { parentId, series, currentValue, currentTime } of known.values()) {
      if (typeof currentValue !== 'number') continue;
      const before = bySource.get(parentId);
      const time = [before?.time, currentTime ?? undefined]
        .filter((device) => device !== undefined)
        .sort()
        .at(-1);
      bySource.set(parentId, { ...before, [READINGS[series]]: currentValue, ...(time !== undefined && { time }) });
    }
    value.value = bySource;
  };
  const ofReadings = Object.keys(READINGS)
    .map((series) => `series($eq:${series})`)
    .join('|');
  const read = async (filter: string) => {
    const attr = '_id,parentId,series,currentValue,currentTime';
    for await (const node of client.nodes.list({ filter, attr, limit: MOST_READINGS })) {
      if (isOver) return;
      const reading = node as unknown as Reading;
      if (reading.series in READINGS) known.set(reading._id, reading);
    }
    publish();
  };
  // The list is whole without them; the next news bring some.
  const load = () => read(ofReadings).catch(() => {});
  // The first status of a modem makes its parameters, which have the names of their series.
  const soon = readSoon({
    settleMs: SETTLE_MS,
    read: (ids) => read(ids.map((id) => `_id($eq:${id})`).join('|')),
    readAll: () => void load(),
  });
  const still = onNodes((news) => {
    if (news.kind === 'reset') return void load();
    if (news.kind === 'removed') return;
    const before = known.get(news.node._id);
    if (!before) {
      if (String(news.node.name) in READINGS) soon.add(news.node._id);
      return;
    }
    known.set(news.node._id, { ...before, ...news.node } as Reading);
    timer ??= setTimeout(publish, SETTLE_MS);
  });
  void load();
  return {
    value,
    release: () => {
      isOver = true;
      soon.end();
      clearTimeout(timer);
      still();
    },
  };
}
