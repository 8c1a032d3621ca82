import { QUALITY_TYPES, type QualityType } from '@catchment/quality';
import { type ArgumentReader, readArguments } from '@catchment/query';
import type { EffectiveZone, TimeArgument } from '@catchment/time';
import { atMost, bad, lengthOf, MAX_FORMAT } from './argument-rules.ts';
import { type ColumnOptions, columnOptions } from './column-options.ts';

const PLACEMENTS = ['NONE', 'DELIMITED_WITH_VALUE', 'SEPARATE_VALUE'] as const;
/** Where CSV puts qualities and annotations. */
export type Placement = (typeof PLACEMENTS)[number];

export type CsvOptions = {
  readonly header: boolean;
  readonly delimiter: string;
  /** '' = none. */
  readonly textQualifier: string;
  readonly quality: Placement;
  readonly qualityDelimiter: string;
  readonly annotation: Placement;
  readonly annotationDelimiter: string;
};

/** The arguments of GET …/historic that all columns have in common, as far as they can be understood without nodes. */
export type QueryOptions = {
  readonly format: 'JSON' | 'CSV';
  readonly start: TimeArgument | undefined;
  readonly end: TimeArgument | undefined;
  readonly limit: number | undefined;
  readonly zone: EffectiveZone;
  readonly timeQuery: 'RECORD' | 'MODIFIED';
  readonly timeFormat: string | undefined;
  /** Absent: as the account says. */
  readonly excluded: ReadonlySet<QualityType> | undefined;
  readonly csv: CsvOptions;
};

/** Of a single column. */
export type ReadOptions = QueryOptions & ColumnOptions;

const MAX_LIMIT = 1_000_000_000;
const MAX_DELIMITER = 5;
const MAX_PART_DELIMITER = 20;

/**
 * @throws DomainError invalid_argument naming the argument and its rule
 * (docs/reference/records-and-documents.md#jts-documents, docs/reference/reading.md#range-and-limit,
 * docs/reference/reading.md#order-of-steps, docs/reference/records-and-documents.md#csv)
 */
export function readOptions(given: Readonly<Record<string, string>>, nowMs: number): ReadOptions {
  const read = readArguments(given);
  const query = queryOptions(read, nowMs);
  return { ...query, ...columnOptions(read, query.timeQuery) };
}

/** @throws DomainError invalid_argument naming the argument and its rule */
export function queryOptions(read: ArgumentReader, nowMs: number): QueryOptions {
  const zone = read.zone(nowMs);
  return {
    format: read.oneOf('format', ['JSON', 'CSV']) ?? 'JSON',
    start: read.time('startTime', zone),
    end: read.time('endTime', zone),
    limit: read.int('limit', { min: 1, max: MAX_LIMIT }),
    zone,
    timeQuery: read.oneOf('timeQuery', ['RECORD', 'MODIFIED']) ?? 'RECORD',
    timeFormat: atMost('timeFormat', read.text('timeFormat'), MAX_FORMAT),
    excluded: excludedTypes(read),
    csv: csvOptions(read),
  };
}

function csvOptions(read: ArgumentReader): CsvOptions {
  const delimiter = read.textOrEmpty('delimiter') ?? ',';
  const textQualifier = read.textOrEmpty('textQualifier') ?? '"';
  if (delimiter === '' || lengthOf(delimiter) > MAX_DELIMITER) {
    throw bad('delimiter', 'must be 1 to 5 characters, or TAB');
  }
  if (lengthOf(textQualifier) > 1) throw bad('textQualifier', 'must be one character or empty');
  return {
    header: read.bool('header') ?? true,
    delimiter: delimiter.toUpperCase() === 'TAB' ? '\t' : delimiter,
    textQualifier,
    quality: read.oneOf('quality', PLACEMENTS) ?? 'NONE',
    qualityDelimiter: partDelimiter(read, 'qualityDelimiter') ?? ':',
    annotation: read.oneOf('annotation', PLACEMENTS) ?? 'NONE',
    annotationDelimiter: partDelimiter(read, 'annotationDelimiter') ?? ';',
  };
}

/** NONE drops nothing, whatever else is listed; absent = the account's setting. */
export function excludedTypes(read: ArgumentReader): ReadonlySet<QualityType> | undefined {
  const listed = read.listOf('qualityExcluded', [...QUALITY_TYPES, 'NONE']);
  return listed && new Set(listed.includes('NONE') ? [] : listed.filter((one) => one !== 'NONE'));
}

const partDelimiter = (read: ArgumentReader, name: string) => atMost(name, read.textOrEmpty(name), MAX_PART_DELIMITER);
