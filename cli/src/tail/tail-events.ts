import type { Client, Event } from '@catchment/client';
import { openClient } from '../api/open-client.ts';
import { onOneLine } from '../command-line/answer.ts';
import { interruptSignal } from '../command-line/interrupted.ts';
import { type Print, printer, untilStopped } from './printer.ts';
import type { EventOptions } from './tail-options.ts';

type Asked = Pick<EventOptions, 'type' | 'filter' | 'follow' | 'lines' | 'json'>;
type Clients = { readonly client: Client; readonly patient: Client };

/** Prints the newest events, and with `--follow` those that come. */
export async function tailEvents(options: EventOptions): Promise<void> {
  const clients = await openClient(options);
  const signal = interruptSignal();
  await untilStopped(signal, () => printEvents(clients, options, printer(), signal));
}

/** Ends when `signal` does, where it follows. */
async function printEvents(
  { client, patient }: Clients,
  { type, filter, follow, lines, json }: Asked,
  print: Print,
  signal: AbortSignal,
): Promise<void> {
  const asked = { ...(type.length > 0 && { types: type }), ...(filter !== undefined && { filter }) };
  const shown = (event: Event) => print(json ? JSON.stringify(event) : lineOf(event));
  const ended = new AbortController();
  try {
    // It begins before the past is asked for, so that nothing is lost between the two.
    const coming = patient.events.follow({ ...asked, signal: AbortSignal.any([signal, ended.signal]) });
    const first = follow ? coming.next() : undefined;
    first?.catch(() => {});
    const past = client.events.list({ ...asked, sort: 'eventTime(DESC)', limit: Math.max(1, lines) });
    const newest = (await Array.fromAsync(past)).slice(0, lines).reverse();
    for (const event of newest) await shown(event);
    const seen = new Set(newest.map(({ _id }) => _id));
    for (let next = await first; next && !next.done; next = await coming.next())
      if (!seen.has(next.value.event._id)) await shown(next.value.event);
  } finally {
    ended.abort();
  }
}

function lineOf({ eventTime, level, eventType, message, username }: Event): string {
  return [eventTime, level.padEnd(7), eventType.padEnd(13), message, username && `(${username})`]
    .filter(Boolean)
    .map((part) => onOneLine(String(part)))
    .join('  ');
}
