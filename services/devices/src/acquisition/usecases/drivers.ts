import type { CollectFiles, FileTransport, LoggerDriver, PipeTransport } from './session-ports.ts';

/** Sessions are made of these: a row for each transport that is asked and each logger that is spoken with. */
export type Drivers = {
  readonly files: readonly FileTransport[];
  readonly pipes: readonly PipeTransport[];
  readonly loggers: readonly LoggerDriver[];
  /** Absent: no transport fetches files. */
  readonly collect?: CollectFiles;
};
