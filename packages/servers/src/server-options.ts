import type { CheckServer } from './check-server.ts';

/** Options of every server. */
export type ServerOptions = {
  /** Everything that it keeps goes here; each server uses its own folder below. */
  dataDir: string;
  /** Gets a line of progress per step. */
  log?: (line: string) => void;
  /** Address to listen on; default `127.0.0.1`. */
  host?: string;
  /** Allows the installation of packages without asking; as root it is allowed anyway. */
  yes?: boolean;
  /** A server starts within this time, ms; default 60 000. */
  readyLimitMs?: number;
  /** Returns when it is ready; default: this process asks it. */
  check?: CheckServer;
};

export const DEFAULT_HOST = '127.0.0.1';
export const DEFAULT_READY_LIMIT_MS = 60_000;
