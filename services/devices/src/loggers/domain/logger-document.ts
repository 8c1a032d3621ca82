import { COLUMNS_MAX } from '@catchment/ids';
import type { LoggerRecord, Value } from '@catchment/pakbus';
import { formatIsoMs } from '@catchment/time';
import type { LoggerColumn } from './logger-columns.ts';

export type TimedRecord = { readonly instantMs: number; readonly values: LoggerRecord['values'] };

/**
 * Returns JTS documents that bring records to a source: one, or several where there are more columns than a write may have.
 * @param instantOf a time of the logger's clock in Unix ms
 */
export function loggerDocuments(
  columns: readonly LoggerColumn[],
  records: readonly TimedRecord[],
  instantOf: (localMs: number) => number,
): object[] {
  const documents: object[] = [];
  for (let at = 0; at < columns.length; at += COLUMNS_MAX) {
    const slice = columns.slice(at, at + COLUMNS_MAX);
    const shown = slice.map(({ series, name, dataType, units }) => ({
      series,
      name,
      dataType,
      ...(units && { units }),
    }));
    const data = records.flatMap(({ instantMs, values }) => {
      const fields = slice.flatMap(({ place }, n) => {
        const value = values[place];
        return value === undefined ? [] : [[n, { v: jtsValue(value, instantOf) }]];
      });
      return fields.length === 0 ? [] : [{ ts: formatIsoMs(instantMs), f: Object.fromEntries(fields) }];
    });
    const header = { columns: Object.fromEntries(shown.map((column, n) => [n, column])) };
    documents.push({ docType: 'jts', version: '1.0', header, data });
  }
  return documents;
}

function jtsValue(value: Exclude<Value, undefined>, instantOf: (localMs: number) => number): unknown {
  if (typeof value === 'string') return value.replaceAll(/\p{Cc}/gu, ' ').toWellFormed();
  return typeof value === 'object' ? { $time: formatIsoMs(instantOf(value.timeMs)) } : value;
}

const VALUE_BYTES = 24;
/** Estimates how much of a document a record makes. */
export const recordBytes = (columns: readonly LoggerColumn[], { values }: Pick<TimedRecord, 'values'>): number =>
  columns.reduce((sum, { place }) => {
    const value = values[place];
    return sum + VALUE_BYTES + (typeof value === 'string' ? value.length : 0);
  }, VALUE_BYTES);
