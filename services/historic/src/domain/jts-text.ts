import type { ReadOptions } from './read-options.ts';
import type { RecordSet } from './record-set.ts';
import { DATA_TYPE, type SeriesView } from './series-view.ts';

/** Bounds as shown in the header; null when nothing was given and nothing found. */
export type ShownRange = { readonly startMs: number | null; readonly endMs: number | null };

/**
 * The pieces of a JTS document (semantics 6.1) in the layout that line tools read (semantics 23, item 10): the header over
 * several lines, `"data"` on a line of its own, then one record a line.
 */
export function* jtsText(
  records: RecordSet,
  view: SeriesView,
  range: ShownRange,
  { zone, csv, timestamp }: Pick<ReadOptions, 'zone' | 'csv'> & { timestamp: (ms: number) => string },
): Generator<string> {
  const header = {
    startTime: range.startMs === null ? null : zone.formatIso(range.startMs),
    endTime: range.endMs === null ? null : zone.formatIso(range.endMs),
    recordCount: records.count,
    columns: { 0: headerColumn(view) },
  };
  const document = { docType: 'jts', version: '1.0', ...(csv.header && { header }) };
  yield `${JSON.stringify(document, null, 2).replace(/\n\}$/, '')},\n  "data": [\n`;
  for (let index = 0; index < records.count; index += 1) {
    const end = index === records.count - 1 ? '\n' : ',\n';
    yield `    { "ts":${timestamp(records.times[index] ?? 0)}, "f": { "0": ${field(records, view, index)} } }${end}`;
  }
  yield '  ]\n}\n';
}

function headerColumn({ node, renderType, format, isRelative }: SeriesView) {
  const { series } = node;
  return {
    id: node.nodeId,
    name: node.name,
    dataType: DATA_TYPE[series.valueType],
    ...(series.units !== '' && { units: series.units }),
    renderType,
    ...(renderType === 'VALUE' && format !== '' && { format }),
    aggregate: 'NONE',
    ...(isRelative && { baselineType: 'RELATIVE' }),
  };
}

function field(records: RecordSet, view: SeriesView, index: number): string {
  const value = view.json(records, index);
  const quality = records.qualities[index] ?? -1;
  const annotation = records.annotations.get(index);
  if (quality < 0 && annotation === undefined) return value === undefined ? '{}' : `{"v":${value}}`;
  const parts = [];
  if (value !== undefined) parts.push(`"v":${value}`);
  if (quality >= 0) parts.push(`"q":${quality}`);
  if (annotation !== undefined) parts.push(`"a":${JSON.stringify(annotation)}`);
  return `{${parts.join(',')}}`;
}
