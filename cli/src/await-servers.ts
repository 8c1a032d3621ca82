import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { waitUntilDone } from './account/wait-until-done.ts';

/** One of these addresses is enough for a server: the members of a cluster. */
export type ServerAddress = readonly { readonly host: string; readonly port: number }[];

export const SERVERS_WAIT_MS = 60_000;
const TRY_MS = 2_000;
const PAUSE_MS = 500;
const DEFAULT_PORTS: Readonly<Record<string, number>> = {
  'postgres:': 5432,
  'postgresql:': 5432,
  'nats:': 4222,
  'tls:': 4222,
  'http:': 80,
  'https:': 443,
};

/** @param urls of the members, separated by commas, or `host:port`; a URL without a host, such as one of a socket in a folder, has no address */
export function addressOf(urls: string): ServerAddress {
  return urls.split(',').flatMap((url) => {
    const text = url.trim().includes('://') ? url.trim() : `tcp://${url.trim()}`;
    if (!URL.canParse(text)) return [];
    const { hostname, port, protocol } = new URL(text);
    const number = port === '' ? DEFAULT_PORTS[protocol] : Number(port);
    return hostname === '' || number === undefined ? [] : [{ host: hostname.replace(/^\[|\]$/g, ''), port: number }];
  });
}

/**
 * Waits until each server takes connections, at most for the time, and says for which it waits. Where policies of the network are enforced, the ways of a new
 * pod open a moment after its start; and servers that start beside it take longer. The caller finds what is wrong with a server that stays away.
 */
export async function awaitServers(
  servers: readonly ServerAddress[],
  limitMs: number,
  say: (line: string) => void,
): Promise<void> {
  const wait = (members: ServerAddress) =>
    waitUntilDone(
      members.map(({ host, port }) => `${host}:${port}`).join(' or '),
      () => anyReached(members),
      { limitMs, say, pause: () => delay(PAUSE_MS) },
      () => true,
    ).catch(() => undefined);
  await Promise.all(servers.filter(({ length }) => length > 0).map(wait));
}

/** @throws the failure of the first of them when none takes a connection */
const anyReached = (members: ServerAddress): Promise<void> =>
  Promise.any(members.map(reached)).catch((error: AggregateError) => {
    throw error.errors[0];
  });

function reached({ host, port }: ServerAddress[number]): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, timeout: TRY_MS });
    socket.on('error', reject);
    socket.on('timeout', () => socket.destroy(new Error(`no connection within ${TRY_MS / 1_000} s`)));
    socket.on('connect', () => {
      resolve();
      socket.destroy();
    });
  });
}
