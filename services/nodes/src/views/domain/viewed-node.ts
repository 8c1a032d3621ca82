import type { StoredNode } from '../../domain/classes/node.ts';
import type { Edges, StoredAlarm } from '../../values/index.ts';

/** A node with all that GET shows of it. */
export type ViewedNode = StoredNode & {
  readonly edges: Edges;
  readonly updatedMs: number | null;
  readonly counters: {
    readonly lastAttemptMs: number | null;
    readonly lastSuccessMs: number | null;
    readonly totalAttempts: number;
    readonly totalSuccesses: number;
    readonly lastRecordCount: number;
  };
  /** null = nothing reported yet, '' = no state. */
  readonly reportedStateId: string | null;
  /** Time of the record that has brought the state; null = it holds whatever the current record is. */
  readonly reportedStateMs: number | null;
  readonly alarms: Readonly<Record<string, StoredAlarm>>;
  /** Sources: what the outdatedAlarm goes by (docs/reference/alarms.md#outdated-data). */
  readonly referenceMs: number;
  /** Attachment sources: the newest attachment. */
  readonly currentAttachmentId: string | null;
};
