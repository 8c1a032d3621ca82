import type { NodeConfig } from '@catchment/contracts/nodes';

/** The event log of a source gets this line (docs/reference/events.md#standard-messages). */
export type SourceEvent = {
  readonly source: {
    readonly sourceId: string;
    readonly ownerId: string;
    readonly workspaceId: string;
    readonly sourceClass: string;
  };
  readonly level: 'DEBUG' | 'INFO' | 'WARNING' | 'ERROR';
  /** Absent: ACQUISITION. CONTROL is of a parameter, which then takes the place of the source. */
  readonly eventType?: 'ACQUISITION' | 'CONFIGURATION' | 'SECURITY' | 'CONTROL';
  /** Absent: System. */
  readonly username?: string;
  readonly message: string;
  readonly timeMs: number;
};

export const eventSource = ({ nodeId, ownerId, workspaceId, class: name }: NodeConfig): SourceEvent['source'] => ({
  sourceId: nodeId,
  ownerId,
  workspaceId,
  sourceClass: name,
});
