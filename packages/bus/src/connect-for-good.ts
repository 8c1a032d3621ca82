import { connect, type NatsConnection } from '@nats-io/transport-node';
import { serversOf } from './servers-of.ts';

/** A broker that is being replaced may still have its address and say nothing; the library would wait for 20 s. */
const DIAL_LIMIT_MS = 3_000;
/** The time between two attempts varies, so that not all clients come at once. */
const RECONNECT_MS = { wait: 200, jitter: 100 } as const;

/**
 * Connects to the broker, waits for it if it is not there yet, and again whenever the connection is lost.
 * @param options.signal ends the wait for the first connection
 * @throws the reason of `signal`, once the attempt that runs has ended
 */
export async function connectForGood({ url, name, signal }: DialOptions): Promise<NatsConnection> {
  let isConnected = false;
  const connection = await connect({
    ...serversOf(url),
    name,
    maxReconnectAttempts: -1,
    // A broker that does not know our login for a while, as during a change of its configuration, is tried again too.
    ignoreAuthErrorAbort: true,
    reconnectDelayHandler: () => {
      // The library has no other way to end its first attempts.
      if (!isConnected) signal?.throwIfAborted();
      return RECONNECT_MS.wait + Math.random() * RECONNECT_MS.jitter;
    },
    waitOnFirstConnect: true,
    timeout: DIAL_LIMIT_MS,
    pingInterval: 10_000,
    // The library would keep the stack of each request for the case of a failure, at a fortieth of historic's processor time.
    noAsyncTraces: true,
  });
  isConnected = true;
  return connection;
}

type DialOptions = { readonly url: string; readonly name: string; readonly signal?: AbortSignal };
