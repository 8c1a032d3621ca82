import { jtsSeries, jtsTime, type TimedRow } from '@catchment/delimited-text';
import { type DomainError, invalid } from '@catchment/errors';
import { COLUMNS_MAX, isStorableText, printable, QUALITY_MAX, TEXT_MAX } from '@catchment/ids';
import { isJsonObject, type JsonObject } from '@catchment/json-body';
import { parseTimeValueMs } from '@catchment/time';

type JtsColumn = { readonly key: string; readonly type: string };
export type JtsHeader = {
  /** The file has these columns. */
  readonly columns: Readonly<Record<string, object>>;
  /** The key is the index of the column. */
  readonly series: ReadonlyMap<string, JtsColumn>;
};

/** This is read of an entry of `data`; its series are the indexes of its columns. */
export type JtsRow = TimedRow & {
  /** Undefined: it has no field at all. */
  readonly f: JsonObject | undefined;
  /** This many fields could not be read; the first has a reason. */
  readonly unreadable: number;
  readonly firstProblem?: string;
};

const ANNOTATION_CHARACTERS = 500;
const INDEX = /^(?:0|[1-9]\d{0,8})$/;

const bad = (rule: string): DomainError => invalid('INVALID_BODY', rule);
const shown = (text: string): string => printable(text.slice(0, 40));

/**
 * Checks what a JTS file says beside its records (docs/reference/acquisition.md#jts-files).
 * @throws DomainError invalid_argument naming the attribute
 */
export function jtsHeader({ docType, subType, version, header }: JsonObject): JtsHeader {
  if (typeof docType !== 'string' || docType.toLowerCase() !== 'jts') throw bad('docType: must be jts');
  if (subType !== undefined && subType !== null && `${subType}`.toUpperCase() !== 'TIMESERIES')
    throw bad('subType: must be TIMESERIES or absent');
  if (version !== undefined && version !== null && !['1.0', '1', 'v1'].includes(`${version}`))
    throw bad('version: must be 1.0');
  const columns = isJsonObject(header) ? header.columns : undefined;
  if (!isJsonObject(columns) || Object.keys(columns).length === 0)
    throw bad('header.columns: must name the columns of the file');
  const entries = Object.entries(columns);
  if (entries.length > COLUMNS_MAX)
    throw invalid('TOO_MANY_SERIES', `header.columns: at most ${COLUMNS_MAX}, not ${entries.length}`);
  return {
    columns: columns as Record<string, object>,
    series: new Map(entries.map(([index, column]) => [index, columnOf(index, column)])),
  };
}

function columnOf(index: string, column: unknown): JtsColumn {
  const at = `header.columns.${shown(index)}`;
  if (!INDEX.test(index)) throw bad(`${at}: key must be a column index`);
  if (!isJsonObject(column)) throw bad(`${at}: must be an object`);
  const { name, dataType, series } = column;
  if (typeof name !== 'string' || name.trim() === '') throw bad(`${at}.name: must be a text`);
  const type = typeof dataType === 'string' ? dataType.toUpperCase() : '';
  if (!Object.hasOwn(VALUES, type)) throw bad(`${at}.dataType: must be one of ${Object.keys(VALUES).join(', ')}`);
  return { key: typeof series === 'string' && series !== '' ? series : name, type };
}

const isText = (value: unknown, characters: number): boolean =>
  typeof value === 'string' &&
  isStorableText(value) &&
  (value.length <= characters || (value.length <= 2 * characters && [...value].length <= characters));
/** @param index 0 = latitude, 1 = longitude */
const isDegree = (value: unknown, index: number): boolean =>
  typeof value === 'number' && Math.abs(value) <= (index === 0 ? 90 : 180);

/** Values by column type. */
const VALUES: Readonly<Record<string, { readonly is: (value: unknown) => boolean; readonly rule: string }>> = {
  NUMBER: { is: (value) => typeof value === 'number', rule: 'must be a number' },
  VALUE: { is: (value) => typeof value === 'number', rule: 'must be a number' },
  TEXT: {
    is: (value) => isText(value, TEXT_MAX),
    rule: `must be a text of at most ${TEXT_MAX} characters, none of them U+0000`,
  },
  TIME: { is: (value) => parseTimeValueMs(value) !== undefined, rule: 'must be a time' },
  BOOLEAN: { is: (value) => typeof value === 'boolean' || value === 0 || value === 1, rule: 'must be true or false' },
  COORDINATES: {
    is: (value) =>
      isJsonObject(value) &&
      Array.isArray(value.$coords) &&
      value.$coords.length === 2 &&
      value.$coords.every(isDegree),
    rule: 'must be {"$coords":[latitude,longitude]} within 90 and 180 degrees',
  },
};

/** Reads the entries of one file: times without a zone are the source's. */
export class JtsEntries {
  readonly #series: JtsHeader['series'];

  constructor({ series }: JtsHeader) {
    this.#series = series;
  }

  /** @returns why it could not be read */
  read(entry: unknown): JtsRow | string {
    if (!isJsonObject(entry)) return 'must be an object';
    const time = jtsTime(entry.ts);
    if (time === undefined) return 'ts: must be an ISO 8601 timestamp such as 2014-10-09T22:38:10.000Z';
    if (!isJsonObject(entry.f)) return 'f: must be an object';
    let firstProblem: string | undefined;
    let unreadable = 0;
    const f: Record<string, unknown> = {};
    for (const [index, field] of Object.entries(entry.f)) {
      const problem = this.#problemOf(index, field);
      if (problem === undefined) f[index] = field;
      else {
        unreadable += 1;
        firstProblem ??= `f.${shown(index)}: ${problem}`;
      }
    }
    const isEmpty = Object.keys(f).length === 0;
    if (isEmpty && firstProblem !== undefined) return firstProblem;
    const series = isEmpty ? [...this.#series.keys()].map(Number) : jtsSeries(f);
    const row = { time, series, isBlank: isEmpty, f: isEmpty ? undefined : f, unreadable };
    return firstProblem === undefined ? row : { ...row, firstProblem };
  }

  #problemOf(index: string, field: unknown): string | undefined {
    const column = this.#series.get(index);
    if (!column) return 'is no column of the header';
    // Deletes a record.
    if (field === null) return undefined;
    if (!isJsonObject(field)) return 'must be an object or null';
    const { v, q, a } = field;
    const { is, rule } = VALUES[column.type]!;
    if (v !== undefined && v !== null && !is(v)) return `v ${rule}`;
    const isQuality = typeof q === 'number' && Number.isInteger(q) && q >= 0 && q <= QUALITY_MAX;
    if (q !== undefined && q !== null && !isQuality) return `q must be a whole number from 0 to ${QUALITY_MAX} or null`;
    if (a !== undefined && a !== null && !isText(a, ANNOTATION_CHARACTERS))
      return `a must be a text of at most ${ANNOTATION_CHARACTERS} characters, none of them U+0000, or null`;
    return undefined;
  }
}
