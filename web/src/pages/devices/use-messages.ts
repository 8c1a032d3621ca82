import { useEffect, useRef, useState } from 'preact/hooks';
import type { LogEvent } from '../../data/events/event-filter.ts';
import { listEvents } from '../../data/events/event-log.ts';
import { client } from '../../data/requests/client.ts';
import type { Source } from '../../data/sources/sources.ts';
import { onEvents, onNodes } from '../../data/streams/live.ts';
import { localeOf } from '../../data/times.ts';
import { language } from '../../words/index.ts';
import { type Message, ofEvent, ofValue, type Series, withMessages } from './message-log.ts';

/** Earlier messages of this many sources are read. */
const MOST_SOURCES = 10;
const MOST_SERIES = 1_000;
/** Values of a message come as many news. */
const SETTLE_MS = 250;

/** Returns what sources of a device get, newest first, as it comes. While it is paused, what comes is counted and kept. */
export function useMessages(sources: readonly Source[] | undefined, isPaused: boolean) {
  const [messages, setMessages] = useState<readonly Message[]>([]);
  const [waiting, setWaiting] = useState<readonly Message[]>([]);
  const [isLoading, setLoading] = useState(true);
  const [error, setError] = useState<unknown>();
  const paused = useRef(isPaused);
  paused.current = isPaused;
  const ids = (sources ?? []).map(({ _id }) => _id).join();

  useEffect(() => {
    if (isPaused || waiting.length === 0) return;
    setMessages((before) => withMessages(before, waiting));
    setWaiting([]);
  }, [isPaused, waiting]);

  useEffect(() => {
    if (sources === undefined) return;
    const sourceIds = new Set(ids.split(',').filter(Boolean));
    const stop = new AbortController();
    const series = new Map<string, Series>();
    let some: Message[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const take = (message: Message | undefined) => {
      if (!message) return;
      some.push(message);
      timer ??= setTimeout(() => {
        timer = undefined;
        const news = some;
        some = [];
        if (paused.current) setWaiting((before) => withMessages(before, news));
        else setMessages((before) => withMessages(before, news));
      }, SETTLE_MS);
    };
    const number = (value: number) => value.toLocaleString(localeOf(language.value), { maximumFractionDigits: 3 });
    const read = async () => {
      const some = [...sourceIds].slice(0, MOST_SOURCES);
      const filter = some.map((id) => `parentId($eq:${id})`).join('|');
      const attr = '_id,name,series,units,currentValue,currentTime';
      if (some.length > 0)
        for await (const node of client.nodes.list({ filter, attr, limit: MOST_SERIES })) {
          if (stop.signal.aborted) return;
          const parameter = node as unknown as Series & {
            readonly currentValue?: unknown;
            readonly currentTime?: string;
          };
          series.set(parameter._id, parameter);
          take(ofValue(parameter, parameter, number));
        }
      for (const nodeId of some) {
        const events = await listEvents({ nodeId, levels: [], types: [] }, undefined, stop.signal);
        for (const event of events.slice(0, 100)) take(ofEvent(event));
      }
    };
    const ends = [
      onEvents((event) => {
        const logged = event as LogEvent;
        if (sourceIds.has(logged.nodeId ?? '')) take(ofEvent(logged));
      }),
      onNodes((news) => {
        if (news.kind !== 'node' || !sourceIds.has(news.node.parentId ?? '')) return;
        const { _id, name = '', currentValue, currentTime } = news.node;
        const known = series.get(_id);
        take(
          ofValue(
            { currentValue, currentTime },
            known ?? { _id, name, series: name === 'Message' ? 'Logs - Message' : null },
            number,
          ),
        );
      }),
    ];
    read()
      .catch((failure: unknown) => !stop.signal.aborted && setError(failure))
      .finally(() => !stop.signal.aborted && setLoading(false));
    return () => {
      stop.abort();
      clearTimeout(timer);
      for (const end of ends) end();
    };
  }, [ids, sources === undefined]);
  return { messages, waiting: waiting.length, isLoading, error };
}
