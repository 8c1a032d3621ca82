import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** Addresses of one server, of which one is enough: the members of a cluster. */
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

/** @param urls of the members, separated by commas, or `host:port`; what names no host has no address, such as a socket in a folder */
export function addressOf(urls: string): ServerAddress {
  return urls.split(',').flatMap((one) => {
    const text = one.trim().includes('://') ? one.trim() : `tcp://${one.trim()}`;
    if (!URL.canParse(text)) return [];
    const { hostname, port, protocol } = new URL(text);
    const number = port === '' ? DEFAULT_PORTS[protocol] : Number(port);
    return hostname === '' || number === undefined ? [] : [{ host: hostname.replace(/^\[|\]$/g, ''), port: number }];
  });
}

/**
 * Waits until each server takes connections, at most for the time, and says for which it waits. Where policies of the network are enforced, the ways of a new
 * pod open a moment after its start; and servers that start beside it take longer. What is wrong with one that stays away, its user finds.
 */
export async function awaitServers(
  servers: readonly ServerAddress[],
  limitMs: number,
  say: (line: string) => void,
): Promise<void> {
  const untilMs = performance.now() + limitMs;
  const wait = async (members: ServerAddress) => {
    for (let isFirst = true; members.length > 0 && !(await isThere(members)); isFirst = false) {
      if (performance.now() >= untilMs) return;
      const names = members.map(({ host, port }) => `${host}:${port}`).join(' or ');
      if (isFirst) say(`Waiting up to ${limitMs / 1_000} s for ${names}, which takes no connections yet`);
      await delay(PAUSE_MS);
    }
  };
  await Promise.all(servers.map(wait));
}

const isThere = (members: ServerAddress): Promise<boolean> =>
  Promise.any(members.map(reached)).then(
    () => true,
    () => false,
  );

function reached({ host, port }: ServerAddress[number]): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, timeout: TRY_MS });
    socket.on('close', () => reject(new Error('not reached')));
    socket.on('error', () => undefined);
    socket.on('timeout', () => socket.destroy());
    socket.on('connect', () => {
      resolve();
      socket.destroy();
    });
  });
}
