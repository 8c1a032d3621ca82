// What a record may have, and one write of records (docs/reference/limits.md). Every way to the log keeps to them, so that historic refuses
// nothing that a service or a program has prepared.

/** Quality codes are whole numbers from 0 to this. */
export const QUALITY_MAX = 65_535;
/** Characters of a text value. */
export const TEXT_MAX = 10_000;
/** One document that is written, read or exported has this many columns: series of a file or a message. */
export const COLUMNS_MAX = 100;
/** Records of one write. */
export const RECORDS_MAX = 50_000;
