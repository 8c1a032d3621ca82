import type { GetAcquisitionResponse, NodeConfig, TransportSettings } from '@catchment/contracts/nodes';
import type { TransportName } from '@catchment/contracts/transports';
import type { NodeCall, VisibleNodes } from '@catchment/node-replica';
import type { SourceEvent } from '../domain/source-event.ts';
import type { FileSource } from '../domain/source-file.ts';

/** A write must know this of its source. */
export type WrittenSource = {
  readonly sourceId: string;
  readonly ownerId: string;
  /** Empty = default (docs/reference/writing.md#write-modes). */
  readonly writeMode: string;
  /** WriteRequest.acquisition_id. */
  readonly acquisitionId?: string;
};

/**
 * Appends a JTS document to a source's series, after those of the source that came before it; resolves once the ingest log has it.
 * @param origin what the event about it names
 * @param keep when what it needs is away, it is tried again until this aborts
 */
export type WriteToSource = (
  source: WrittenSource,
  document: unknown,
  origin: string,
  keep?: AbortSignal,
) => Promise<void>;

/** Appends a JTS document. It was joined from `deliveries` messages. */
export type WriteBody = (
  source: WrittenSource,
  body: Buffer,
  of: { readonly origin: string; readonly deliveries: number },
) => Promise<void>;

/** Part of a source's file. */
export type FileWrite = {
  readonly source: Pick<FileSource, '_id' | 'ownerId' | 'inSession' | 'acquisitionId'>;
  /** A JTS document. */
  readonly body: Uint8Array;
  readonly writeMode: string;
  readonly origin: string;
  /** The file has begun with another write, or with a fault: this one clears no dataAlarm. */
  readonly continues: boolean;
  /**
   * Place in a file of several writes: others follow, or this is the last, with the totals of all. Absent: the only
   * write.
   */
  readonly ofFile?: 'unfinished' | { readonly earlierRows: number; readonly parameters: number };
  /** The write belongs to an import. @property columnIndex of a parameter or Location */
  readonly imported?: { readonly notifyOn: string; readonly columnIndex?: number | undefined };
};

export type FileWrites = {
  /** Resolves once the ingest log has it. @returns rows that are stored */
  writeFile(write: FileWrite, signal: AbortSignal): Promise<number>;
  /** Raises the dataAlarm of the source. */
  reportFault(report: { source: FileWrite['source']; fault: string }, signal: AbortSignal): Promise<void>;
};

/** The source was found by its push key or station; the secrets of its transport are neither stored nor logged. */
export type PushSource = { readonly source: NodeConfig; readonly settings: TransportSettings };

/** A session asks the nodes service for these. */
export type AcquisitionSettings = Pick<GetAcquisitionResponse, 'source' | 'transport'> & {
  readonly files: FileSource | undefined;
  readonly attributes: Readonly<Record<string, unknown>>;
};
export type AcquisitionNodes = {
  /** Secrets are among the settings; they are neither stored nor logged. @returns undefined: the source is gone, or in a template */
  acquisition(source: {
    readonly sourceId: string;
    readonly ownerId: string;
  }): Promise<AcquisitionSettings | undefined>;
};

export type Nodes = VisibleNodes & {
  /**
   * Returns the settings by which files of a source are read, and the class of the node.
   * @param parser in the place of the source's own, after the checks of an update
   * @throws DomainError not_found | permission_denied | invalid_argument for the parser
   */
  fileSource(
    nodeRef: string,
    call: NodeCall,
    parser?: unknown,
  ): Promise<{ readonly class: string; readonly source: FileSource }>;
  /**
   * Returns how a source acquires, with the secrets of its transport and logger, which are neither stored nor logged.
   */
  readonly acquisition: AcquisitionNodes['acquisition'];
  /** Parameters of a data source. */
  parametersOf(source: { sourceId: string; ownerId: string }, deadlineMs: number): Promise<readonly string[]>;
  /** Returns parameters of a data source that have a series. */
  seriesOf(source: { sourceId: string; ownerId: string }): Promise<readonly { series: string; isActive: boolean }[]>;
  /** Parameters become active or inactive, by their series. */
  activate(
    source: { sourceId: string; ownerId: string },
    change: { readonly active: readonly string[]; readonly inactive: readonly string[] },
  ): Promise<void>;
  /** Returns the source with this push key or station, over all accounts; undefined = none that may take data. */
  pushSource(transport: TransportName, key: string): Promise<PushSource | undefined>;
  /** Returns the settings by which files of a source of the account are read. @throws DomainError not_found */
  fileSettings(source: { sourceId: string; ownerId: string }): Promise<FileSource>;
  /** Returns sources that bring data by themselves, over all accounts. */
  deviceSources(): Promise<AsyncIterable<NodeConfig>>;
};

/** Stores events of sources, in the transaction of what they report. */
export interface EventStored {
  /** ACQUISITION events of sources (docs/reference/events.md#standard-messages). */
  recordEvents(events: readonly SourceEvent[]): Promise<void>;
}

/** A store runs its statements in one transaction by this. */
export interface Transactions<Stored> {
  /** Runs `work` in one transaction; on a conflict it is run again. */
  transaction<T>(work: (stored: Stored) => Promise<T>): Promise<T>;
}
