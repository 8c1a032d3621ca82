import type { WriteComputedRequest } from '@catchment/contracts/historic';
import { FairQueue } from '@catchment/fair-queue';

/** This is below the gateway's 30 s for a call. */
const WAIT_MS = 25_000;
const MIB = 1024 * 1024;

/** The queue counts bytes of documents that are parsed and appended at a time; their records take some times as much. */
export const writingQueue = (): FairQueue =>
  new FairQueue({
    reason: 'TOO_MANY_WRITES',
    capacity: 64 * MIB,
    waitingPerAccount: 4_000,
    waiting: 10_000,
    waitMs: WAIT_MS,
  });

/** A write takes this memory besides its document. */
const WRITE_BYTES = 4_096;
export const writeCost = ({ body }: { readonly body: Uint8Array }): number => WRITE_BYTES + body.byteLength;

export const linesCost = ({ lines }: { readonly lines: Uint8Array }): number => WRITE_BYTES + lines.byteLength;

export const computedCost = ({ series }: Pick<WriteComputedRequest, 'series'>): number =>
  series.reduce(
    (sum, { timestamps, texts }) => sum + 3 * timestamps.length + texts.reduce((all, text) => all + text.length, 0),
    WRITE_BYTES,
  );
