import type { ConsoleStart } from '@catchment/dashboard-view';

let read: ConsoleStart | undefined;

/** Who is signed in, and the account of the address, as the server wrote them into the page. */
export function start(): ConsoleStart {
  read ??= JSON.parse(document.getElementById('start')!.textContent) as ConsoleStart;
  return read;
}
