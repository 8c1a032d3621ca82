import type { QualityTable } from '@catchment/quality';
import type { RecordReader, Visit } from '../../records/index.ts';

/** Reads records with the qualities that an account shows for those of its sources (docs/reference/quality.md#quality-codes). */
export function withShownQuality(reader: RecordReader, quality: QualityTable): RecordReader {
  if (!quality.isMapping) return reader;
  const shown =
    (visit: Visit): Visit =>
    (record) => {
      record.quality = quality.shown(record.quality);
      return visit(record);
    };
  return {
    scan: (series, plan, signal, visit) => reader.scan(series, plan, signal, shown(visit)),
    scanModified: (series, modified, signal, visit) => reader.scanModified(series, modified, signal, shown(visit)),
  };
}
