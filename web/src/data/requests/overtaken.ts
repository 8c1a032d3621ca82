import { call } from './call.ts';
import { isOvertaken } from './failures.ts';

/** Somebody else has changed the same since it was read: what is theirs now, and who it was, where the events name them. */
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

/** Finds who has changed something of the account last: the newest of its events with such a message. */
async function lastToChange(message: string): Promise<string | undefined> {
  const [event] = await call<readonly AccountEvent[]>('GET', '/events', {
    query: { filter: `message($match:${message})`, sort: 'eventTime(DESC)', limit: 1 },
  }).catch(() => []);
  return event?.username;
}

/**
 * Sends a change that is meant for one revision.
 * @param read what is there now; undefined: it is gone @param message of the events that name who has changed it; absent: none does
 * @throws Overtaken
 */
export async function unlessOvertaken<T, R>(
  change: () => Promise<R>,
  read: () => Promise<T | undefined>,
  message?: string,
): Promise<R> {
  try {
    return await change();
  } catch (error) {
    if (!isOvertaken(error)) throw error;
    const theirs = await read();
    throw new Overtaken(theirs, message === undefined ? undefined : await lastToChange(message));
  }
}

/** Compares a part of what is there now with what somebody has begun with. @throws Overtaken */
export async function checkUnchanged<T>(base: T | undefined, now: T | undefined, message: string): Promise<void> {
  if (JSON.stringify(base) !== JSON.stringify(now)) throw new Overtaken(now, await lastToChange(message));
}
