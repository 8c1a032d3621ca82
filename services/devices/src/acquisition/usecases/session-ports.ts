import type { Duplex } from 'node:stream';
import type { SettingsOf, TransportName } from '@catchment/contracts/transports';
import type { DeliveredFile } from '../../files/index.ts';
import type { LoggerFacts, PendingControl } from '../../schedules/index.ts';
import type { FileSource } from '../../sources/index.ts';

export type { LoggerFacts, PendingControl } from '../../schedules/index.ts';

/**
 * The reason why a session could not go on. People read it in the events of the source and in its communicationsAlarm. Every other error of
 * a transport or driver is a fault of ours: the session fails with an ERROR event.
 */
export class CommunicationFailure extends Error {
  /** @param message what a person can act on, such as "connect ECONNREFUSED 192.0.2.1:21" or "login was refused" */
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CommunicationFailure';
  }
}

/**
 * Trying again does not mend this failure, such as a wrong setting or a protocol that Catchment does not have: the session fails at once.
 */
export class FinalFailure extends CommunicationFailure {}

export type RemoteFile = {
  /** The file is read and removed by its path, which is unique in the connection. */
  readonly path: string;
  /** Entries of the source match this name without folders (docs/reference/acquisition.md#files-of-a-source). */
  readonly name: string;
  /** Absent where the other side does not report it before the file is read. */
  readonly sizeBytes?: number;
  /** Unix ms. */
  readonly modifiedMs?: number;
  /** The entry of the source's `files` at this index names the file; absent: the entries are matched by its name. */
  readonly entry?: number;
};

/** A file that is known by a version has become this. */
export type NewVersion = {
  /** Distinguishes the version from others, as an ETag does; absent: nothing does. At most 1 000 characters. */
  readonly version?: string;
  readonly bytes: AsyncIterable<Uint8Array>;
};

/** A connection leads to a place that has files. It runs one operation at a time. Every operation ends soon after `signal` aborts. */
export interface FileConnection {
  /** @throws CommunicationFailure */
  files(signal: AbortSignal): AsyncIterable<RemoteFile>;
  /** Bytes from an offset on. @throws CommunicationFailure */
  read(file: RemoteFile, fromByte: number, signal: AbortSignal): AsyncIterable<Uint8Array>;
  /**
   * Stands in for `read` where the other side distinguishes files by a version.
   * @returns undefined: it is the known version still
   * @throws CommunicationFailure
   */
  readIfChanged?(file: RemoteFile, known: string | undefined, signal: AbortSignal): Promise<NewVersion | undefined>;
  /** Absent where files cannot be removed. @throws CommunicationFailure */
  remove?(file: RemoteFile, signal: AbortSignal): Promise<void>;
  /** Files are removed once they are acquired, whatever the source says. */
  readonly alwaysRemoves?: true;
  /** Never throws. */
  close(): Promise<void>;
}

/** A session knows this of its source. */
export type SessionSource = {
  readonly sourceId: string;
  readonly ownerId: string;
  readonly workspaceId: string;
  /** "source.data.TextParser" … */
  readonly sourceClass: string;
  readonly name: string;
  /** The node's attributes are as stored, with the secrets of its logger. Never logged. */
  readonly attributes: Readonly<Record<string, unknown>>;
  /** File sources say by these attributes which files are read, and how. */
  readonly files?: FileSource;
};

/** The transport fetches files, such as FtpDownload. */
export interface FileTransport<N extends TransportName = TransportName> {
  readonly name: N;
  /** Names host and port, never a secret, for the event `Connecting to <target>`. */
  target(settings: SettingsOf<N>, source: SessionSource): string;
  /** @throws CommunicationFailure */
  connect(settings: SettingsOf<N>, source: SessionSource, signal: AbortSignal): Promise<FileConnection>;
}

/** A session gives this to whoever takes files out of its connection. */
export type FileCollection = {
  readonly source: SessionSource;
  /** The source names its files, and how they are read. */
  readonly files: FileSource;
  readonly progress: Pick<SessionProgress, 'event'>;
  /**
   * Delivers like deliverFile, as long as the session is the source's: the session counts what it delivers. @throws
   * what deliverFile throws
   */
  readonly deliver: (
    file: DeliveredFile,
  ) => Promise<{ readonly fileId: string; readonly sizeBytes: number } | undefined>;
  readonly now: () => number;
  readonly signal: AbortSignal;
};

/**
 * Takes what is new out of a connection: files that the entries of the source choose are handed over, and removed where
 * the source says so, once they are durable. It records the events of files, and that there was nothing new.
 * @throws CommunicationFailure, DomainError
 */
export type CollectFiles = (connection: FileConnection, collection: FileCollection) => Promise<void>;

/** The transport is a pipe to a logger: TcpClient, TcpCallback, Scout. */
export interface PipeTransport<N extends TransportName = TransportName> {
  readonly name: N;
  target(settings: SettingsOf<N>, source: SessionSource): string;
  /** The pipe is the session's alone until it is destroyed. @throws CommunicationFailure ("Device not connected") */
  connect(settings: SettingsOf<N>, source: SessionSource, signal: AbortSignal): Promise<Duplex>;
}

/** A driver reports a session's steps and findings; each is stored when the promise resolves. */
export interface SessionProgress {
  /** Connected: controls or download begin. */
  step(status: 'CONTROLLING' | 'DOWNLOADING' | 'PROCESSING'): Promise<void>;
  facts(facts: LoggerFacts): Promise<void>;
  /** A control was done, or refused by the logger with its reason. */
  controlled(control: PendingControl, refusal?: string): Promise<void>;
  /** Writes records as a JTS document of the source: resolves once the ingest log has them. */
  write(document: object, rows: number, origin: string): Promise<void>;
  event(level: 'DEBUG' | 'INFO' | 'WARNING' | 'ERROR', message: string, timeMs?: number): Promise<void>;
  /** The driver remembers this of the source (collection pointers): undefined at first. JSON, at most 64 KiB. */
  readonly memory: unknown;
  remember(memory: unknown): Promise<void>;
}

/** Speaks with the logger behind a pipe: one for each class of source that is no file source. */
export interface LoggerDriver {
  /** "source.data.CampbellPakBus" … */
  readonly sourceClass: string;
  /**
   * Runs one session from hello to the last record. The session reports that there was nothing new.
   * @throws CommunicationFailure
   */
  run(
    pipe: Duplex,
    session: {
      readonly source: SessionSource;
      readonly controls: readonly PendingControl[];
      /** The source's schedule or somebody asks for records; otherwise the controls alone are sent. */
      readonly collects: boolean;
      readonly progress: SessionProgress;
      readonly now: () => number;
      readonly signal: AbortSignal;
    },
  ): Promise<void>;
}
