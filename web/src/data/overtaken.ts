import { call } from './call.ts';

/** Somebody else has changed the same since it was read: what is theirs now, and who it was, where the events tell it. */
export class Overtaken<T> extends Error {
  readonly theirs: T | undefined;
  readonly who: string | undefined;

  /** @param theirs undefined: it is gone */
  constructor(theirs: T | undefined, who: string | undefined) {
    super('changed meanwhile');
    this.theirs = theirs;
    this.who = who;
  }
}

type AccountEvent = { readonly username?: string; readonly message: string };

/** Who has changed something of the account last: the newest of its events with such a message. */
export async function lastToChange(message: string): Promise<string | undefined> {
  const [event] = await call<readonly AccountEvent[]>('GET', '/events', {
    query: { filter: `message($match:${message})`, sort: 'eventTime(DESC)', limit: 1 },
  }).catch(() => []);
  return event?.username;
}

/** Compares what is there now with what somebody has begun with, where the API has no revision. @throws Overtaken */
export async function checkUnchanged<T>(base: T | undefined, now: T | undefined, message: string): Promise<void> {
  if (JSON.stringify(base) !== JSON.stringify(now)) throw new Overtaken(now, await lastToChange(message));
}
