import type { StoredRecord } from '../src/records/domain/record-set.ts';
import type { RecordReader } from '../src/records/usecases/ports.ts';

/** Reads ascending records in an array as from the store. */
export const arrayReader = (records: readonly StoredRecord[]): RecordReader => {
  // All share one object, as the store does it.
  const visitAll = (list: readonly StoredRecord[], visit: (record: StoredRecord) => boolean) => {
    const record = { ...NOTHING };
    for (const stored of list) if (!visit(Object.assign(record, NOTHING, stored))) return;
  };
  return {
    scan: async (_series, { fromMs, toMs, order }, _signal, visit) => {
      const found = records.filter(({ timeMs }) => timeMs >= fromMs && timeMs <= toMs);
      visitAll(order === 'ascending' ? found : found.reverse(), visit);
    },
    scanModified: async (_series, { fromMs, toMs }, _signal, visit) =>
      visitAll(
        records.filter(({ modifiedMs }) => modifiedMs >= fromMs && modifiedMs <= toMs),
        visit,
      ),
  };
};

const NOTHING: StoredRecord = {
  timeMs: 0,
  modifiedMs: 0,
  number: undefined,
  longitude: undefined,
  text: undefined,
  quality: undefined,
  annotation: undefined,
};
