import type { FileOutcome } from '../../reading/index.ts';
import type { Status } from '../../schedules/index.ts';

/** This file of the source was the last to be read or refused. */
export type LastFile = {
  readonly sourceId: string;
  readonly ownerId: string;
  readonly fileName: string;
  readonly sizeBytes: number;
  /** Unix ms of the outcome. */
  readonly timeMs: number;
  readonly outcome: FileOutcome;
};

/** This is known of the contacts of a source (docs/reference/sources.md#diagnosis). */
export type Contact = {
  readonly status: Status | undefined;
  /** The next session or try comes then; Unix ms; undefined = none is planned. */
  readonly nextMs: number | undefined;
  readonly waitingFiles: number;
  /** A source that is asked by a schedule has this time between two sessions. */
  readonly intervalMs: number | undefined;
  readonly lastFile?: LastFile;
  /** The transport of the source names this device. */
  readonly device?: {
    readonly deviceId: string;
    readonly isConnected: boolean;
    readonly lastConnectedMs: number | undefined;
  };
};
