import type { DeviceSource } from './device.ts';

/** A line of the event log of a source (docs/reference/events.md#standard-messages). */
export type SourceEvent = {
  readonly source: Pick<DeviceSource, 'sourceId' | 'ownerId' | 'workspaceId' | 'sourceClass'>;
  readonly level: 'DEBUG' | 'INFO' | 'WARNING' | 'ERROR';
  /** Absent: ACQUISITION. CONTROL is of a parameter, which then takes the place of the source. */
  readonly eventType?: 'ACQUISITION' | 'CONFIGURATION' | 'SECURITY' | 'CONTROL';
  /** Absent: System. */
  readonly username?: string;
  readonly message: string;
  readonly timeMs: number;
};
