import { ValueType } from '@catchment/contracts/nodes';
import { transformOf } from '@catchment/equation';
import { invalid } from '@catchment/errors';
import { formatNumber, type NumberPattern, parseNumberPattern, roundToPattern } from '@catchment/number-format';
import { matchState } from '@catchment/states';
import { type EffectiveZone, timeFormatter } from '@catchment/time';
import type { RecordSet } from '../../records/index.ts';
import type { SeriesNode } from '../../series/index.ts';
import { type Aggregate, suitsAnything } from './aggregate-name.ts';
import type { ColumnOptions, PeriodicOptions } from './column-options.ts';
import { isOfSigns } from './csv-cell.ts';

const DATA_TYPE: Readonly<Record<number, string>> = {
  [ValueType.VALUE_TYPE_NUMBER]: 'NUMBER',
  [ValueType.VALUE_TYPE_TEXT]: 'TEXT',
  [ValueType.VALUE_TYPE_TIME]: 'TIME',
  [ValueType.VALUE_TYPE_COORDINATES]: 'COORDINATES',
};

/**
 * Presents one column with its baseline and format (docs/reference/reading.md#order-of-steps); of raw records the transform and states too,
 * which the results of an aggregate have been through already.
 */
export type SeriesView = {
  readonly node: SeriesNode;
  /** The column's records have this type: another than the node's where names of states or counts stand for values. */
  readonly valueType: ValueType;
  readonly dataType: string;
  readonly aggregate: Aggregate;
  /** Layout of intervals; undefined without. */
  readonly intervals: PeriodicOptions['shown'] | undefined;
  readonly renderType: 'VALUE' | 'STATE';
  /** The header shows this format; '' stands for full resolution. */
  readonly format: string;
  readonly isRelative: boolean;
  /** `number`, or `text` for TEXT, means this in a record; names of states are texts. */
  readonly kind: 'NUMBER' | 'TEXT' | 'TIME' | 'COORDINATES';
  /** Returns the number as JSON has it, of TIME Unix ms; NaN when there is none. Of COORDINATES the part: 0 = latitude, 1 = longitude. */
  number(records: RecordSet, index: number, part?: 0 | 1): number;
  text(records: RecordSet, index: number): string | undefined;
  /** Returns the value of record `index` as JSON text; undefined when it has none. */
  json(records: RecordSet, index: number): string | undefined;
  /** Returns the value as a CSV cell; `isText` ones are put into qualifiers. '' when there is none. */
  csv(records: RecordSet, index: number): { text: string; isText: boolean };
  /** CSV cells that are no texts consist of signs of numbers and ISO times alone. */
  readonly isOfSigns: boolean;
};

type ViewOptions = ColumnOptions & { readonly zone: EffectiveZone };

/** @throws DomainError invalid_argument when an argument does not fit the node's type */
export function viewOf(node: SeriesNode, options: ViewOptions): SeriesView {
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
  const { aggregate } = options;
  if (!suitsAnything(aggregate) && !(isNumber && renderType === 'VALUE')) {
    throw invalid('INVALID_ARGUMENT', `aggregate: ${aggregate} needs a number parameter rendered as VALUE`);
  }
  if (options.m4Columns !== undefined && !(isNumber && renderType === 'VALUE')) {
    throw invalid(
      'INVALID_ARGUMENT',
      `${options.reducedBy === 'maxPoints' ? 'maxPoints:' : 'reduce: M4'} needs a number parameter rendered as VALUE`,
    );
  }
  // Text and coordinates have no format (docs/reference/parameters.md#attributes, docs/reference/reading.md#order-of-steps),
  // and what counts them is in none of theirs.
  const isCount = aggregate === 'COUNT';
  const isFormatted = isNumber || (valueType === ValueType.VALUE_TYPE_TIME && !isCount);
  const format = isFormatted ? (options.renderFormat ?? series.format) : '';
  const base = {
    node,
    // The type that is shown stays the node's where states are named
    // (docs/reference/records-and-documents.md#jts-documents); a count is a number of its own.
    dataType: DATA_TYPE[isCount ? ValueType.VALUE_TYPE_NUMBER : valueType] ?? '',
    valueType: resultType(valueType, aggregate, renderType),
    renderType,
    format,
    isRelative: options.isRelative,
    aggregate,
    intervals: options.periodic?.shown,
  };
  const isRaw = aggregate === 'NONE';
  if (renderType === 'STATE' && isRaw) return { ...base, ...stateView(node) };
  switch (base.valueType) {
    case ValueType.VALUE_TYPE_NUMBER: {
      const apply = isRaw ? transformOf(series).apply : undefined;
      return { ...base, ...numberView(apply, renderType === 'VALUE' ? format : '', options) };
    }
    case ValueType.VALUE_TYPE_TIME:
      return { ...base, ...timeView(format, options) };
    case ValueType.VALUE_TYPE_COORDINATES:
      return { ...base, ...coordinatesView() };
    default:
      return { ...base, ...textView() };
  }
}

function resultType(valueType: ValueType, aggregate: Aggregate, renderType: 'VALUE' | 'STATE'): ValueType {
  if (aggregate === 'COUNT') return ValueType.VALUE_TYPE_NUMBER;
  return aggregate !== 'NONE' && renderType === 'STATE' ? ValueType.VALUE_TYPE_TEXT : valueType;
}

type Values = Pick<SeriesView, 'kind' | 'number' | 'text' | 'json' | 'csv' | 'isOfSigns'>;
const EMPTY = { text: '', isText: false } as const;
const noNumber = (): number => Number.NaN;
const noText = (): undefined => undefined;

/** @param apply of the transform; results of an aggregate have been through it */
function numberView(apply: (raw: number) => number = (value) => value, format: string, options: ViewOptions): Values {
  const pattern = patternOf(format, options.renderFormat !== undefined);
  const transformed = (records: RecordSet, index: number) => apply(records.numbers[index] ?? Number.NaN);
  // A direction just below a whole turn is not rounded up to one.
  const isTurn = (value: number) =>
    options.aggregate === 'CIRCULAR_MEAN' && pattern !== undefined && roundToPattern(value, pattern) >= 360;
  let baseline: number | undefined;
  const valueAt = (records: RecordSet, index: number): number => {
    const result = transformed(records, index);
    const value = isTurn(result) ? 0 : result;
    if (!options.isRelative || !Number.isFinite(value)) return value;
    baseline ??= value;
    return value - baseline;
  };
  const number = (records: RecordSet, index: number): number => {
    const value = valueAt(records, index);
    if (!Number.isFinite(value)) return Number.NaN;
    return pattern ? roundToPattern(value, pattern) : value;
  };
  return {
    kind: 'NUMBER',
    number,
    text: noText,
    json: (records, index) => {
      const value = number(records, index);
      return Number.isFinite(value) ? String(value) : undefined;
    },
    csv: (records, index) => {
      const value = valueAt(records, index);
      if (!Number.isFinite(value)) return EMPTY;
      return { text: pattern ? formatNumber(value, pattern) : String(value), isText: false };
    },
    isOfSigns: !pattern || isPatternOfSigns(pattern),
  };
}

/** @throws DomainError invalid_argument for a wrong pattern in the request; a node's own invalid one is ignored */
function patternOf(format: string, isRequested: boolean): NumberPattern | undefined {
  if (format === '') return undefined;
  const pattern = parseNumberPattern(format);
  if (!pattern && isRequested)
    throw invalid('INVALID_ARGUMENT', 'renderFormat: must be a number pattern such as #,##0.00');
  return pattern;
}

const isPatternOfSigns = ({ groupSize, prefix, suffix, negativePrefix, negativeSuffix }: NumberPattern): boolean =>
  groupSize === 0 && isOfSigns(prefix + suffix + negativePrefix + negativeSuffix);

function stateView({ series }: SeriesNode): Values {
  const isText = series.valueType === ValueType.VALUE_TYPE_TEXT;
  const { apply } = transformOf(series);
  const text = (records: RecordSet, index: number): string | undefined => {
    if (!records.hasValue(index)) return undefined;
    const value = isText ? (records.texts[index] ?? '') : apply(records.numbers[index] ?? 0);
    return matchState(series, value)?.name;
  };
  return ofTexts(text);
}

const textView = (): Values => ofTexts((records, index) => records.texts[index]);

const ofTexts = (text: SeriesView['text']): Values => ({
  kind: 'TEXT',
  number: noNumber,
  text,
  json: (records, index) => {
    const shown = text(records, index);
    return shown === undefined ? undefined : JSON.stringify(shown);
  },
  csv: (records, index) => {
    const shown = text(records, index);
    return shown === undefined ? EMPTY : { text: shown, isText: true };
  },
  isOfSigns: true,
});

function timeView(format: string, { zone }: ViewOptions): Values {
  const print = format === '' ? zone.formatIso : timeFormatter(format, zone);
  return {
    kind: 'TIME',
    number: (records, index) => records.numbers[index] ?? Number.NaN,
    text: noText,
    json: (records, index) =>
      records.hasValue(index) ? `{"$time":"${zone.formatIso(records.numbers[index] ?? 0)}"}` : undefined,
    csv: (records, index) =>
      records.hasValue(index) ? { text: print(records.numbers[index] ?? 0), isText: false } : EMPTY,
    isOfSigns: format === '',
  };
}

function coordinatesView(): Values {
  const pair = (records: RecordSet, index: number) =>
    [records.numbers[index * 2], records.numbers[index * 2 + 1]] as const;
  return {
    kind: 'COORDINATES',
    number: (records, index, part = 0) => records.numbers[index * 2 + part] ?? Number.NaN,
    text: noText,
    json: (records, index) => (records.hasValue(index) ? `{"$coords":[${pair(records, index).join(',')}]}` : undefined),
    csv: (records, index) =>
      records.hasValue(index) ? { text: pair(records, index).join('/'), isText: false } : EMPTY,
    isOfSigns: true,
  };
}
