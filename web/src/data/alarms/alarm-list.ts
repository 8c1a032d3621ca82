import { type ReadonlySignal, signal } from '@preact/signals';
import { call } from '../requests/call.ts';
import { onEvents, onNodes } from '../streams/live.ts';
import { type Alarm, listAlarms } from './alarms.ts';

export type AlarmList = {
  /** Newest first. Those of the last answer stay until the next has come. */
  readonly alarms: readonly Alarm[];
  readonly isLoading: boolean;
  /** The server has more than are held here. */
  readonly isCut: boolean;
  readonly error?: unknown;
};

const PAGE = 1_000;
/** News come in bursts, such as of a logger with a hundred parameters. */
const AFTER_NEWS_MS = 1_000;

export const keyOf = ({ nodeId, alarmType }: Pick<Alarm, 'nodeId' | 'alarmType'>): string => `${nodeId} ${alarmType}`;

/** Holds alarms that are raised on a node and below it, kept current for as long as somebody looks. */
export function holdAlarms(nodeId: string): {
  readonly list: ReadonlySignal<AlarmList>;
  readonly reload: () => void;
  readonly release: () => void;
} {
  const list = signal<AlarmList>({ alarms: [], isLoading: true, isCut: false });
  let timer: ReturnType<typeof setTimeout> | undefined;
  let request = new AbortController();
  const load = async () => {
    clearTimeout(timer);
    request.abort();
    const controller = new AbortController();
    request = controller;
    list.value = { ...list.peek(), isLoading: true };
    try {
      const { alarms, next } = await listAlarms({ limit: PAGE, nodeId }, controller.signal);
      list.value = { alarms, isLoading: false, isCut: typeof next === 'string' };
    } catch (error) {
      if (!controller.signal.aborted) list.value = { ...list.peek(), isLoading: false, error };
    }
  };
  const loadSoon = () => {
    clearTimeout(timer);
    timer = setTimeout(() => void load(), AFTER_NEWS_MS);
  };
  const stops = [
    onEvents((event) => {
      if (((event as { alarmState?: string }).alarmState ?? 'NONE') !== 'NONE') loadSoon();
    }),
    onNodes((news) => {
      const isKnown = (id: string) => list.peek().alarms.some((alarm) => alarm.nodeId === id);
      if (news.kind === 'reset' || (news.kind === 'removed' && isKnown(news.id))) loadSoon();
    }),
  ];
  void load();
  return {
    list,
    reload: () => void load(),
    release: () => {
      clearTimeout(timer);
      request.abort();
      for (const stop of stops) stop();
    },
  };
}

/** One alarm's outcome. */
export type Outcome = {
  readonly nodeId: string;
  readonly alarmType: string;
  readonly code: number;
  readonly reason?: string;
  readonly message?: string;
};

/** Acknowledges or clears alarms, as many at a time as the API takes. @returns an outcome for each */
export async function actOnAlarms(
  action: 'acknowledge' | 'clear',
  alarms: readonly Pick<Alarm, 'nodeId' | 'alarmType'>[],
  comment: string,
  progress: (part: number) => void = () => {},
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (let from = 0; from < alarms.length; from += PAGE) {
    const entries = alarms.slice(from, from + PAGE).map(({ nodeId, alarmType }) => ({ nodeId, alarmType }));
    const answer = await call<{ readonly alarms: readonly Outcome[] }>('POST', `/alarms/${action}`, {
      body: { alarms: entries, ...(comment !== '' && { comment }) },
    });
    // The server may name a node otherwise than it was asked for: entries come in the order of the request.
    outcomes.push(...answer.alarms.map((outcome, i) => ({ ...outcome, ...entries[i]! })));
    progress(Math.min(1, (from + PAGE) / alarms.length));
  }
  return outcomes;
}
