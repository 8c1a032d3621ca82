import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { call } from '../requests/call.ts';

/** Preferences are JSON by key, of the person in the account, on the server: another browser has the same. */
const held = new Map<string, Signal<unknown>>();
let loading: Promise<void> | undefined;

/** Resolves once what the person has chosen is known, or cannot be. */
export const preferencesRead = (): Promise<void> => load();

function load(): Promise<void> {
  loading ??= call<Readonly<Record<string, unknown>>>('GET', '/users/me/preferences').then(
    (answer) => {
      for (const [key, value] of Object.entries(answer)) signalOf(key).value = value;
    },
    () => {
      // A choice that cannot be read counts as not made; the next page that asks tries again.
      loading = undefined;
    },
  );
  return loading;
}

function signalOf(key: string): Signal<unknown> {
  let value = held.get(key);
  if (value === undefined) {
    value = signal<unknown>(undefined);
    held.set(key, value);
  }
  return value;
}

/** Holds a preference of the person; undefined while it is not known or never was chosen. */
export function preference<T>(key: string): ReadonlySignal<T | undefined> {
  void load();
  return signalOf(key) as Signal<T | undefined>;
}

/** A change is shown at once and sent to the server; a failure is thrown, and the change is taken back. */
export async function setPreference(key: string, value: unknown): Promise<void> {
  const kept = signalOf(key);
  const before = kept.peek();
  kept.value = value;
  try {
    await call('PUT', `/users/me/preferences/${encodeURIComponent(key)}`, { body: value });
  } catch (error) {
    if (kept.peek() === value) kept.value = before;
    throw error;
  }
}
