import { FLAG } from '@catchment/ingest-log';

/**
 * The storage layout (docs/adr/0002-storage-layout.md) has measurement `h`, tag `s` = node id, value fields by type, `q`, `a` and the
 * presence field `p` = modified ms * 8 + which of value (1), quality (2), annotation (4) are live. A record without `p` is a live value
 * alone; when it was written is said by its run. The mark `x` shows statements that aggregate `v` what they must not take for granted:
 * where there is none, the point is a live number of 0 or more and has neither quality nor annotation. A mark that an overwritten record
 * has left behind only costs time.
 */
export const MEASUREMENT = 'h';
/**
 * Runs of records without presence fields have tag `s`, time of the first one, `e` = time of the last, `m` = when they were written, all
 * ms.
 */
export const RUNS = 'w';
export const PRESENCE_BITS = FLAG.value | FLAG.quality | FLAG.annotation;
export const PRESENCE_FACTOR = 8;
/** Returns which parts of a record are live by its presence field: a record without the field is a value alone. */
export const partsOf = (presence: number | string | null | undefined): number =>
  presence === null || presence === undefined ? FLAG.value : Number(presence) % PRESENCE_FACTOR;
/** Marks a live number below 0, and nothing besides. */
export const MARK_NEGATIVE = 1;
/** Marks everything but a live value alone. Sums of marks distinguish both kinds, as long as there are fewer negatives than this. */
export const MARK_OTHER = 2 ** 20;
