import type { StoredNode } from '../../domain/classes/node.ts';
import type { Edges, Shown } from '../../shown/index.ts';
import type { StoredAlarm } from '../../values/index.ts';

/** A node with all that GET shows of it. */
export type ViewedNode = StoredNode & {
  readonly edges: Edges;
  readonly shown: Shown;
  readonly updatedMs: number | null;
  readonly counters: {
    readonly lastAttemptMs: number | null;
    readonly lastSuccessMs: number | null;
    readonly totalAttempts: number;
    readonly totalSuccesses: number;
    readonly lastRecordCount: number;
  };
  readonly alarms: Readonly<Record<string, StoredAlarm>>;
  /** Sources: reference time of their data, which may be in the future. */
  readonly dataMs: number;
  /** Attachment sources: the newest attachment. */
  readonly currentAttachmentId: string | null;
};
