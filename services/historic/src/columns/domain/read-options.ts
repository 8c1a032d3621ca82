import type { QualityType } from '@catchment/quality';
import { argumentReader, type PLACEMENTS, type READ_FORMATS, READING, readZone } from '@catchment/query';
import type { EffectiveZone, TimeArgument } from '@catchment/time';
import { bad } from '../../series/index.ts';
import { type ColumnOptions, columnOptions } from './column-options.ts';
import { checkSeparators } from './csv-cell.ts';
import { type NamedPlace, readPlace } from './modified-page.ts';

/** Qualities and annotations stand here in CSV. */
type Placement = (typeof PLACEMENTS)[number];

export type CsvOptions = {
  readonly header: boolean;
  readonly delimiter: string;
  /** Absent: a point. */
  readonly decimalSeparator?: ',';
  readonly byteOrderMark?: boolean;
  readonly formulaGuard?: boolean;
  /** '' = none. */
  readonly textQualifier: string;
  readonly quality: Placement;
  readonly qualityDelimiter: string;
  readonly annotation: Placement;
  readonly annotationDelimiter: string;
};

/** All columns have these arguments of GET …/historic in common, as far as they can be understood without nodes. */
export type QueryOptions = {
  readonly format: (typeof READ_FORMATS)[number];
  /** CSV has a line for each record. */
  readonly isLong: boolean;
  readonly start: TimeArgument | undefined;
  readonly end: TimeArgument | undefined;
  readonly limit: number | undefined;
  readonly zone: EffectiveZone;
  readonly timeQuery: 'RECORD' | 'MODIFIED';
  /** The answer before has ended at this place, as that answer said; for `MODIFIED` with a limit. */
  readonly after: NamedPlace | undefined;
  readonly timeFormat: string | undefined;
  /** Absent: as the account says. */
  readonly excluded: ReadonlySet<QualityType> | undefined;
  readonly csv: CsvOptions;
};

/** A read of a single column has these options. */
export type ReadOptions = QueryOptions & ColumnOptions;

type Given = Readonly<Record<string, string>>;

/**
 * @throws DomainError invalid_argument naming the argument and its rule
 * (docs/reference/records-and-documents.md#jts-documents, docs/reference/reading.md#range-and-limit,
 * docs/reference/reading.md#order-of-steps, docs/reference/records-and-documents.md#csv)
 */
export function readOptions(given: Given, nowMs: number): ReadOptions {
  const query = queryOptions(given, nowMs);
  return { ...query, ...columnOptions(given, query.timeQuery) };
}

/** @throws DomainError invalid_argument naming the argument and its rule */
export function queryOptions(given: Given, nowMs: number): QueryOptions {
  const zone = readZone(given, nowMs);
  const read = argumentReader(READING, given, zone);
  const format = read('format');
  const csv = csvOptions(read);
  if (format === 'CSV') checkSeparators(csv);
  const isLong = read('layout') === 'LONG';
  if (isLong && format !== 'CSV') throw bad('layout', 'LONG is a layout of format=CSV');
  const excluded = read('qualityExcluded');
  const [limit, timeQuery] = [read('limit'), read('timeQuery')];
  return {
    format,
    isLong,
    start: read('startTime'),
    end: read('endTime'),
    limit,
    zone,
    timeQuery,
    after: afterOf(read('after'), timeQuery === 'MODIFIED' && limit !== undefined),
    timeFormat: read('timeFormat') || undefined,
    // NONE drops nothing, whatever else is listed.
    excluded: excluded && new Set(excluded.includes('NONE') ? [] : excluded.filter((quality) => quality !== 'NONE')),
    csv,
  };
}

function afterOf(text: string, isPaged: boolean): NamedPlace | undefined {
  if (text === '') return undefined;
  if (!isPaged) throw bad('after', 'needs timeQuery=MODIFIED and a limit');
  return readPlace(text);
}

function csvOptions(read: ReturnType<typeof argumentReader<typeof READING>>): CsvOptions {
  const decimalSeparator = read('decimalSeparator');
  const delimiter = read('delimiter') ?? (decimalSeparator === ',' ? ';' : ',');
  return {
    ...(decimalSeparator === ',' && { decimalSeparator }),
    ...(read('byteOrderMark') && { byteOrderMark: true }),
    ...(read('formulaGuard') && { formulaGuard: true }),
    header: read('header'),
    delimiter: delimiter.toUpperCase() === 'TAB' ? '\t' : delimiter,
    textQualifier: read('textQualifier'),
    quality: read('quality'),
    qualityDelimiter: read('qualityDelimiter'),
    annotation: read('annotation'),
    annotationDelimiter: read('annotationDelimiter'),
  };
}
