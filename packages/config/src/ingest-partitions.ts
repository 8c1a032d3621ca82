/**
 * The setting INGEST_PARTITIONS, for every service alike. Each partition has a consumer, and a replica a loop, for each of its
 * readers: more than 64 cost much and give nothing.
 */
export const INGEST_PARTITIONS = { min: 1, max: 64, fallback: 4 } as const;
