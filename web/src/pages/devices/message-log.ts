import type { LogEvent } from '../../data/events/event-filter.ts';

/** A device has sent something, or something happened to it. */
export type Message = {
  readonly key: string;
  readonly kind: 'event' | 'value' | 'log';
  /** ISO */
  readonly time: string;
  /** The series of a value. */
  readonly name?: string;
  readonly text: string;
  readonly level?: string;
};

/** More are not held. */
export const MOST = 500;

/** Sorts messages newest first; what is known already is not doubled. */
export function withMessages(before: readonly Message[], news: readonly Message[]): readonly Message[] {
  const known = new Set(before.map(({ key }) => key));
  const fresh = news.filter(({ key }) => !known.has(key));
  if (fresh.length === 0) return before;
  return [...fresh, ...before].sort((a, b) => (a.time < b.time ? 1 : a.time > b.time ? -1 : 0)).slice(0, MOST);
}

export const ofEvent = ({ _id, eventTime, message, level }: LogEvent): Message => ({
  key: _id,
  kind: 'event',
  time: eventTime,
  text: message,
  level,
});

export type Series = {
  readonly _id: string;
  readonly name: string;
  readonly series?: string | null;
  readonly units?: string | null;
};

/** Writes the current value of a parameter as a message; undefined: it has none. */
export function ofValue(
  { currentValue, currentTime }: { readonly currentValue?: unknown; readonly currentTime?: unknown },
  { _id, name, series, units }: Series,
  number: (value: number) => string,
): Message | undefined {
  if (typeof currentTime !== 'string' || currentValue === null || currentValue === undefined) return undefined;
  const isLog = series === 'Logs - Message';
  const value = typeof currentValue === 'number' ? number(currentValue) : String(currentValue);
  return {
    key: `${_id} ${currentTime} ${value}`,
    kind: isLog ? 'log' : 'value',
    time: currentTime,
    ...(!isLog && { name }),
    text: units ? `${value} ${units}` : value,
  };
}
