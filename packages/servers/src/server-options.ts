import type { CheckServer } from './check-server.ts';

/** Options of every server. */
export type ServerOptions = {
  /** Where everything it keeps goes; each server uses a folder of its own below. */
  dataDir: string;
  /** Gets a line of progress per step. */
  log?: (line: string) => void;
  /** Address to listen on; default `127.0.0.1`. */
  host?: string;
  /** Allows the installation of packages without asking; as root it is allowed anyway. */
  yes?: boolean;
  /** Longest start of a server, in ms; default 60 000. */
  readyLimitMs?: number;
  /** Tells when it is ready; default: this process asks it. */
  check?: CheckServer;
};

export const DEFAULT_HOST = '127.0.0.1';
export const DEFAULT_READY_LIMIT_MS = 60_000;
