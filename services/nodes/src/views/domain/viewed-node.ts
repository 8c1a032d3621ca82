import type { StoredNode } from '../../domain/classes/node.ts';
import type { Edges, RawValue, Shown } from '../../shown/index.ts';
import type { StoredAlarm } from '../../values/index.ts';

/** GET shows all this of a node. */
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
  /** A source's logger has reported this about itself. */
  readonly logger: {
    readonly model: string | null;
    readonly firmwareVersion: string | null;
    readonly progName: string | null;
  };
  /** Control parameters: what waits to be sent, as it is shown. */
  readonly controlValue: RawValue | null;
  readonly alarms: Readonly<Record<string, StoredAlarm>>;
  /** Sources: reference time of their data, which may be in the future. */
  readonly dataMs: number;
  /** An attachment source, or the image source of a Location, has this newest attachment. */
  readonly newestAttachmentId: string | null;
};
