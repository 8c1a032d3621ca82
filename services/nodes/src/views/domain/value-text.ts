import { formatNumber, parseNumberPattern } from '@catchment/number-format';
import { type EffectiveZone, formatTime } from '@catchment/time';
import { nodeClass } from '../../domain/classes/class-table.ts';
import { attributeOf } from '../../domain/classes/node.ts';
import type { SeriesRecord, ShownRecord } from '../../shown/index.ts';
import type { ViewedNode } from './viewed-node.ts';

/** Texts show times for this reader. */
export type Reader = { readonly zone: EffectiveZone; readonly timeFormat: string };

/** A record is stored, and this is shown of it. */
export type ShownValue = { readonly record: SeriesRecord; readonly shown: ShownRecord };

export const shownAt = ({ edges, shown }: ViewedNode, edge: 'current' | 'previous'): ShownValue | null => {
  const record = edges[edge];
  return record && { record, shown: shown[edge] };
};

/** Returns the format of a parameter; empty for other nodes. */
export const formatOf = ({ class: name, config }: ViewedNode): string =>
  String(attributeOf(nodeClass(name), config, 'format') ?? '');

/**
 * Returns a value as people read it, without its units: numbers by the parameter's pattern, times by its tokens.
 * @param format of the parameter
 */
export function valueText({ record: { value }, shown }: ShownValue, format: string, reader: Reader): string {
  if (typeof value === 'number') {
    const pattern = parseNumberPattern(format);
    if (shown.number === null) return '';
    return pattern ? formatNumber(shown.number, pattern) : String(shown.number);
  }
  if (typeof value === 'string') return value;
  if ('$millis' in value) return formatTime(value.$millis, format || reader.timeFormat, reader.zone);
  return value.join(', ');
}
