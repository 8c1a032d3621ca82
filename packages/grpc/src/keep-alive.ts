import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientHttp2Stream, Http2Session, OutgoingHttpHeaders } from 'node:http2';

export type KeepAlive = {
  /** Time between checks of a connection. */
  readonly lookMs: number;
  /** A connection is pinged after this many looks … */
  readonly pingAfterLooks: number;
  /** … and given up when its peer has not answered after this many more. */
  readonly giveUpAfterLooks: number;
};

/** A peer whose machine is gone says nothing: calls to it must not wait for their deadlines. */
const OF_CLIENTS: KeepAlive = { lookMs: 1_000, pingAfterLooks: 5, giveUpAfterLooks: 12 };
/** A server loses nothing by waiting for a client that is gone. */
export const KEEP_ALIVE_OF_SERVERS: KeepAlive = { ...OF_CLIENTS, giveUpAfterLooks: 30 };

/**
 * Gives a connection up whose peer does not answer pings. In place of the keepalive of gRPC's library, which breaks
 * answers off in two cases: it pings a connection that takes no new calls any more (its age, or a peer that stops),
 * takes the ping that Node does not send then for a lost connection, and ends all calls on it; and its timer may end
 * before the answer that has arrived is read, when this process got no processor. So connections that are being left
 * are not pinged (the deadlines of their last calls are the limit), and waits are counted in checks, between which
 * arrived bytes are read.
 */
export function keepAlive(session: Http2Session, limits: KeepAlive, giveUp: () => void): void {
  let looks = 0;
  let isAsking = false;
  const look = () => {
    if (session.closed || session.destroyed) return clearInterval(timer);
    looks += 1;
    if (isAsking && looks >= limits.giveUpAfterLooks) {
      clearInterval(timer);
      giveUp();
    } else if (!isAsking && looks >= limits.pingAfterLooks) {
      looks = 0;
      isAsking = true;
      session.ping(() => {
        looks = 0;
        isAsking = false;
      });
    }
  };
  const timer = setInterval(look, limits.lookMs).unref();
  session.once('close', () => clearInterval(timer));
}

const kept = new WeakSet<Http2Session>();
const CREATED = 'http2.client.stream.created';
let clients = 0;
let limits = OF_CLIENTS;

function watch(message: unknown): void {
  const { stream, headers } = message as { stream: ClientHttp2Stream; headers: OutgoingHttpHeaders };
  const { session } = stream;
  if (!session || kept.has(session) || headers['content-type'] !== 'application/grpc') return;
  kept.add(session);
  // The library takes an error of the connection for its loss: calls on it are unavailable, new ones go elsewhere, and it is
  // destroyed. Destroyed by us, it would get new calls until the last byte to its silent peer is gone.
  keepAlive(session, limits, () => session.emit('error', new Error('the peer answers no pings')));
}

/**
 * Watches the connections of this process's gRPC clients while there is one. The library does not show them: Node
 * reports the calls on them.
 * @param newLimits hold for the watch of all clients until the last is released
 * @returns what releases the client
 */
export function keepClientsAlive(newLimits?: KeepAlive): () => void {
  if (clients === 0) subscribe(CREATED, watch);
  clients += 1;
  if (newLimits) limits = newLimits;
  let isReleased = false;
  return () => {
    if (isReleased) return;
    isReleased = true;
    clients -= 1;
    if (clients > 0) return;
    unsubscribe(CREATED, watch);
    limits = OF_CLIENTS;
  };
}
