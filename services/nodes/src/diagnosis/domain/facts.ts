import type { SharedWay } from '@catchment/query';
import type { AcquisitionEvent } from './contact-event.ts';

/** This service knows these facts of a source and of its data. Times are Unix ms. */
export type SourceFacts = {
  readonly nodeId: string;
  readonly name: string;
  readonly workspaceId: string;
  /** The transport as it is stored: 'HttpUpload'. */
  readonly transport: string;
  readonly isEnabled: boolean;
  readonly isWatched: boolean;
  readonly isOutdated: boolean;
  readonly lastSuccessMs: number | undefined;
  /** The newest record of its parameters has this time. */
  readonly newestRecordMs: number | undefined;
  /** The newest record of a parameter was this far ahead of our clock when it was written; 0 where it was not. */
  readonly recordsAheadMs: number;
};

/** The devices service knows these facts of the source's contacts. */
export type ContactFacts = {
  readonly status: string;
  readonly nextMs: number | undefined;
  readonly intervalMs: number | undefined;
  readonly waitingFiles: number;
  readonly lastFile: LastFile | undefined;
  readonly device:
    | { readonly deviceId: string; readonly isConnected: boolean; readonly lastConnectedMs?: number | undefined }
    | undefined;
};

export type LastFile = {
  readonly fileName: string;
  readonly timeMs: number;
  readonly sizeBytes: number;
  /** undefined: it was refused whole. */
  readonly report: FileCounts | undefined;
  /** Reason of a refusal. */
  readonly reason: string;
  readonly message: string;
};
type FileCounts = {
  readonly lines: number;
  readonly parsed: number;
  readonly records: number;
  readonly unreadableFields: number;
  readonly firstFailure: string;
};

/** This source shares a way with another. */
export type Peer = {
  readonly nodeId: string;
  readonly name: string;
  readonly isOutdated: boolean;
  readonly hasFailed: boolean;
  readonly lastSuccessMs: number | undefined;
};
export type Peers = {
  /** All of them share this way. */
  readonly by: SharedWay;
  readonly list: readonly Peer[];
  /** There are more, which were not looked at. */
  readonly hasMore: boolean;
};

/** undefined: whoever knows it could not be asked. */
export type Facts = {
  readonly source: SourceFacts;
  readonly contact: ContactFacts | undefined;
  readonly events: readonly AcquisitionEvent[] | undefined;
  readonly peers: Peers | undefined;
};
