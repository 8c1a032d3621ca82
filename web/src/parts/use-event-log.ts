import { useEffect, useState } from 'preact/hooks';
import { belongs, type EventFilter, type LogEvent, merged } from '../data/events/event-filter.ts';
import { listEvents } from '../data/events/event-log.ts';
import { EVENT_PAGE, listOlder } from '../data/events/event-pages.ts';
import { onEvents } from '../data/streams/live.ts';

/** More are not held: who looks further back jumps to a date. */
const MOST = 20_000;

/** Holds the events of a filter: the newest, what happens meanwhile, and older ones as they are asked for. */
export function useEventLog(filter: EventFilter, until: string) {
  const [state, setState] = useState<{
    readonly events: readonly LogEvent[];
    readonly isLoading: boolean;
    readonly hasMore: boolean;
    readonly error?: unknown;
  }>({ events: [], isLoading: true, hasMore: false });
  const [attempt, setAttempt] = useState(0);
  const [stop, setStop] = useState(() => new AbortController());

  const ask = async (read: (signal: AbortSignal) => Promise<readonly LogEvent[]>, controller: AbortController) => {
    setState(({ error: _error, ...before }) => ({ ...before, isLoading: true }));
    try {
      const page = await read(controller.signal);
      if (controller.signal.aborted) return;
      setState((before) => {
        const events = merged(before.events, page);
        const hasMore = page.length >= EVENT_PAGE && events.length < MOST;
        return { events, isLoading: false, hasMore };
      });
    } catch (error) {
      if (!controller.signal.aborted) setState((before) => ({ ...before, isLoading: false, error }));
    }
  };
  useEffect(() => {
    const controller = new AbortController();
    setStop(controller);
    setState({ events: [], isLoading: true, hasMore: false });
    void ask(
      (signal) => listEvents(filter, until === '' ? undefined : { endTime: until, skip: 0 }, signal),
      controller,
    );
    const still =
      until === ''
        ? onEvents((event) => {
            const logged = event as LogEvent;
            if (belongs(logged, filter))
              setState((before) => ({ ...before, events: merged(before.events, [logged]).slice(0, MOST) }));
          })
        : () => {};
    return () => {
      controller.abort();
      still();
    };
  }, [filter, until, attempt]);
  return {
    ...state,
    more: () => {
      if (!state.isLoading && state.events.length > 0 && state.error === undefined)
        void ask((signal) => listOlder(state.events, (place) => listEvents(filter, place, signal)), stop);
    },
    again: () => setAttempt((n) => n + 1),
  };
}
