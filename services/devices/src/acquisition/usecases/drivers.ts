import type { CollectFiles, FileTransport, LoggerDriver, PipeTransport } from './session-ports.ts';

/** What sessions are made of: a row for each transport that is asked and each logger that is spoken with. */
export type Drivers = {
  readonly files: readonly FileTransport[];
  readonly pipes: readonly PipeTransport[];
  readonly loggers: readonly LoggerDriver[];
  /** Absent: no transport fetches files. */
  readonly collect?: CollectFiles;
};
