import { ValueType } from '@catchment/contracts/nodes';
import { invalid } from '@catchment/errors';
import { matchState } from '@catchment/states';
import { timeFormatter } from '@catchment/time';
import { formatNumber, type NumberPattern, parseNumberPattern, roundToPattern } from './number-pattern.ts';
import type { ReadOptions } from './read-options.ts';
import type { RecordSet } from './record-set.ts';
import type { SeriesNode } from './series-node.ts';

export const DATA_TYPE: Readonly<Record<number, string>> = {
  [ValueType.VALUE_TYPE_NUMBER]: 'NUMBER',
  [ValueType.VALUE_TYPE_TEXT]: 'TEXT',
  [ValueType.VALUE_TYPE_TIME]: 'TIME',
  [ValueType.VALUE_TYPE_COORDINATES]: 'COORDINATES',
};

/** How one column is shown: transform, states, baseline, format (semantics 6.5, raw). */
export type SeriesView = {
  readonly node: SeriesNode;
  readonly renderType: 'VALUE' | 'STATE';
  /** As shown in the header; '' = full resolution. */
  readonly format: string;
  readonly isRelative: boolean;
  /** The value of record `index` as JSON text; undefined when it has none. */
  json(records: RecordSet, index: number): string | undefined;
  /** The value as a CSV cell; `isText` ones are put into qualifiers. '' when there is none. */
  csv(records: RecordSet, index: number): { text: string; isText: boolean };
};

/** @throws DomainError invalid_argument when an argument does not fit the node's type */
export function viewOf(node: SeriesNode, options: ReadOptions): SeriesView {
  const { series } = node;
  const { valueType } = series;
  const isNumber = valueType === ValueType.VALUE_TYPE_NUMBER;
  const hasStates = isNumber || valueType === ValueType.VALUE_TYPE_TEXT;
  if (options.renderType === 'STATE' && !hasStates) {
    throw invalid('INVALID_ARGUMENT', 'renderType: STATE needs a number or text parameter');
  }
  const renderType = options.renderType ?? (series.displayType === 'STATE' && hasStates ? 'STATE' : 'VALUE');
  if (options.isRelative && !(isNumber && renderType === 'VALUE')) {
    throw invalid('INVALID_ARGUMENT', 'baselineType: RELATIVE needs a number parameter rendered as VALUE');
  }
  // Text and coordinates have no format (semantics 5.2, 6.5).
  const isFormatted = isNumber || valueType === ValueType.VALUE_TYPE_TIME;
  const format = isFormatted ? (options.renderFormat ?? series.format) : '';
  const base = { node, renderType, format, isRelative: options.isRelative };
  if (renderType === 'STATE') return { ...base, ...stateView(node) };
  switch (valueType) {
    case ValueType.VALUE_TYPE_NUMBER:
      return { ...base, ...numberView(node, format, options) };
    case ValueType.VALUE_TYPE_TIME:
      return { ...base, ...timeView(format, options) };
    case ValueType.VALUE_TYPE_COORDINATES:
      return { ...base, ...coordinatesView() };
    default:
      return { ...base, ...textView() };
  }
}

type Values = Pick<SeriesView, 'json' | 'csv'>;
const EMPTY = { text: '', isText: false } as const;

function numberView({ series }: SeriesNode, format: string, options: ReadOptions): Values {
  const pattern = patternOf(format, options.renderFormat !== undefined);
  const { multiplier, offset } = series;
  const isPlain = multiplier === 1 && offset === 0;
  const transformed = (records: RecordSet, index: number) => {
    const raw = records.numbers[index] ?? Number.NaN;
    return isPlain ? raw : raw * multiplier + offset;
  };
  let baseline: number | undefined;
  const valueAt = (records: RecordSet, index: number): number => {
    const value = transformed(records, index);
    if (!options.isRelative || !Number.isFinite(value)) return value;
    baseline ??= value;
    return value - baseline;
  };
  return {
    json: (records, index) => {
      const value = valueAt(records, index);
      if (!Number.isFinite(value)) return undefined;
      return String(pattern ? roundToPattern(value, pattern) : value);
    },
    csv: (records, index) => {
      const value = valueAt(records, index);
      if (!Number.isFinite(value)) return EMPTY;
      return { text: pattern ? formatNumber(value, pattern) : String(value), isText: false };
    },
  };
}

/** @throws DomainError invalid_argument when the pattern was asked for and is none; a node's own invalid one is ignored */
function patternOf(format: string, isAsked: boolean): NumberPattern | undefined {
  if (format === '') return undefined;
  const pattern = parseNumberPattern(format);
  if (!pattern && isAsked) throw invalid('INVALID_ARGUMENT', 'renderFormat: must be a number pattern such as #,##0.00');
  return pattern;
}

function stateView({ series }: SeriesNode): Values {
  const isText = series.valueType === ValueType.VALUE_TYPE_TEXT;
  const nameAt = (records: RecordSet, index: number): string | undefined => {
    if (!records.hasValue(index)) return undefined;
    const value = isText
      ? (records.texts[index] ?? '')
      : (records.numbers[index] ?? 0) * series.multiplier + series.offset;
    return matchState(series, value)?.name;
  };
  return {
    json: (records, index) => {
      const name = nameAt(records, index);
      return name === undefined ? undefined : JSON.stringify(name);
    },
    csv: (records, index) => {
      const name = nameAt(records, index);
      return name === undefined ? EMPTY : { text: name, isText: true };
    },
  };
}

const textView = (): Values => ({
  json: (records, index) => {
    const text = records.texts[index];
    return text === undefined ? undefined : JSON.stringify(text);
  },
  csv: (records, index) => {
    const text = records.texts[index];
    return text === undefined ? EMPTY : { text, isText: true };
  },
});

function timeView(format: string, { zone }: ReadOptions): Values {
  const print = format === '' ? zone.formatIso : timeFormatter(format, zone);
  return {
    json: (records, index) =>
      records.hasValue(index) ? `{"$time":"${zone.formatIso(records.numbers[index] ?? 0)}"}` : undefined,
    csv: (records, index) =>
      records.hasValue(index) ? { text: print(records.numbers[index] ?? 0), isText: false } : EMPTY,
  };
}

function coordinatesView(): Values {
  const pair = (records: RecordSet, index: number) =>
    [records.numbers[index * 2], records.numbers[index * 2 + 1]] as const;
  return {
    json: (records, index) => (records.hasValue(index) ? `{"$coords":[${pair(records, index).join(',')}]}` : undefined),
    csv: (records, index) =>
      records.hasValue(index) ? { text: pair(records, index).join('/'), isText: false } : EMPTY,
  };
}
