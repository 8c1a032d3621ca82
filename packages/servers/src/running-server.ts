import type { ServerKind } from './versions.ts';

/** A server is either started here, or given by URL and then never started, stopped or killed. */
export type RunningServer = {
  readonly kind: ServerKind;
  /** The URL has a user and a password; do not log it. */
  readonly url: string;
  /** The server runs as a `process`, in a `container`, or is `given` by URL. */
  readonly where: 'process' | 'container' | 'given';
  readonly version?: string;
  /** Process id of the running server; undefined while it is stopped, and when it is not a process of this machine. */
  readonly pid: number | undefined;
  /** SIGKILL: what a crash looks like. Resolves when it is gone; `restart()` brings it back. */
  kill: () => Promise<void>;
  /** Starts it again on the same port and data, stopping it first where it runs. */
  restart: () => Promise<void>;
  stop: () => Promise<void>;
  [Symbol.asyncDispose]: () => Promise<void>;
};

/** Returns a server that was not started here: used as it is. */
export function givenServer(kind: ServerKind, url: string): RunningServer {
  const refuse = async () => {
    throw new Error(`the ${kind} server was given by URL and is not ours to stop or start`);
  };
  const leave = async () => {};
  return {
    kind,
    url,
    where: 'given',
    pid: undefined,
    kill: refuse,
    restart: refuse,
    stop: leave,
    [Symbol.asyncDispose]: leave,
  };
}
