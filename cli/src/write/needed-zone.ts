import { type EffectiveZone, fixedZone, formatIsoMs } from '@catchment/time';
import { UsageError } from '../command-line/failure.ts';
import type { ImportRecord, ImportSource } from '../import/import-source.ts';

/** Every record is far later (30 000 years): what lies there had no zone. */
const AWAY_MS = 1e15;

/** Stands for a zone that nobody has named: a time that needs one comes to lie where no record is. */
export const NEEDED_ZONE: EffectiveZone = {
  ...fixedZone(AWAY_MS, '+00:00'),
  offsetMsAt: () => 0,
  // Times without a date are taken on the day of today.
  localMsAt: (instantMs) => instantMs,
};

/** Returns the records of a source that was read in that zone. @throws UsageError at the first time that has no zone */
export const withZones = (source: ImportSource): ImportSource => ({
  ...source,
  records: async function* () {
    for await (const record of source.records()) {
      refuseAway(record);
      yield record;
    }
  },
});

function refuseAway({ place, ts, f }: ImportRecord): void {
  const times = [ts, ...Object.values(f).flatMap((field) => timeIn(field))];
  const away = times.find((text) => text.startsWith('-'));
  if (away === undefined) return;
  const local = formatIsoMs(Date.parse(away) + AWAY_MS).slice(0, 19);
  throw new UsageError(
    `${place}: ${local} has no zone: give --tz, such as --tz Australia/Sydney, or --tz UTC, or write times with their offset (2024-06-01T10:00+10:00)`,
  );
}

function timeIn(field: unknown): string[] {
  const { v } = (field ?? {}) as { v?: { $time?: unknown } | null };
  return typeof v?.$time === 'string' ? [v.$time] : [];
}
