/**
 * The setting INGEST_PARTITIONS is the same for every service. Each partition has a consumer, and a replica a loop, for each of its
 * readers: more than 64 cost much and give nothing.
 */
export const INGEST_PARTITIONS = { min: 1, max: 64, fallback: 4 } as const;
