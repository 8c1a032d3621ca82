import { DomainError, invalid } from '@catchment/errors';
import { isStorableText, QUALITY_MAX, TEXT_MAX } from '@catchment/ids';
import { searchOf } from '@catchment/states';
import type { EffectiveZone } from '@catchment/time';
import { UNDECODABLE } from '../rows/decode.ts';
import { patternOf } from '../times/auto-time.ts';
import type { TimeParts, TimePattern } from '../times/time-pattern.ts';
import { type ResolvedTime, resolveTime } from '../times/time-resolve.ts';
import { lastZone, type ZoneReader } from '../times/zone-text.ts';
import { isDamaged } from '../values/field-match.ts';
import { readBoolean } from '../values/field-values.ts';
import type { Missing } from '../values/missing.ts';
import { readNumber } from '../values/numbers.ts';
import type { Join, Layout, SeriesType } from './layout.ts';

/** The value of NUMBER and BOOLEAN, TEXT, TIME or COORDINATES (latitude, longitude). */
export type CellValue = number | boolean | string | { readonly timeMs: number } | readonly [number, number];

export interface Cell {
  /** null: the line says that there is none, and gives a quality. */
  readonly value: CellValue | null;
  /** 0-65535. */
  readonly quality?: number;
}

/** The field is there and cannot be read as its type. */
export const UNREADABLE = Symbol('unreadable');
/** A filter leaves the whole record out. */
export const EXCLUDED = Symbol('excluded');
/** The line names a zone that is not known. */
export const UNKNOWN_ZONE = Symbol('unknown zone');

type Reading<T> = T | undefined | typeof UNREADABLE | typeof EXCLUDED;
/** Reads the cell of one line; undefined: the line has no value here. */
export type CellReader = (fields: readonly string[]) => Reading<Cell>;
type TimeReader = (fields: readonly string[]) => Reading<ResolvedTime> | typeof UNKNOWN_ZONE;

/** The readers of one file share these settings. */
export interface ReadContext {
  readonly layout: Layout;
  readonly zone: EffectiveZone;
  /** A time without a date gets the day of this wall clock in `zone`. */
  readonly todayLocalMs: number;
  /** Zones that lines name. */
  readonly zoneOf: ZoneReader;
  readonly missing: Missing;
}

const REGEX_FORM = /^\/(.*)\/(i?)$/s;

/** True where a field is what a filter names: the same text, or a match of `/regex/`. */
function matcherOf(format: string | undefined, at: string): ((text: string) => boolean) | undefined {
  if (!format) return undefined;
  const regex = REGEX_FORM.exec(format);
  if (regex === null) return (text) => text.trim() === format;
  const search = searchOf(regex[1]!, { ignoresCase: regex[2] === 'i' });
  if (search) return search;
  throw invalid(
    'INVALID_PARSER',
    `${at}.format: must be a text or a regular expression between slashes, of RE2 syntax and not too large`,
  );
}

type Part = { readonly join: Join; readonly column: number; readonly read: (fields: readonly string[]) => string };
type Filter = (fields: readonly string[]) => typeof EXCLUDED | 'none' | undefined;

/** The texts of joins, split at separators, with what their filters say. */
function partsOf(joins: readonly Join[], defaultColumn: number, at: string): { parts: Part[]; filters: Filter[] } {
  const parts: Part[] = [];
  const filters: Filter[] = [];
  /** The next part of a column lies between these texts. */
  const passed = new Map<number, string[]>();
  joins.forEach((join, n) => {
    const { column = defaultColumn, field } = join;
    if (field === 'SEPARATOR') {
      if (!join.format)
        throw invalid('INVALID_PARSER', `${at}.joins[${n}].format: must be the text between two fields`);
      // A separator without a separate column parts the column before it.
      const parted = join.column ?? parts.at(-1)?.column ?? defaultColumn;
      passed.set(parted, [...(passed.get(parted) ?? []), join.format]);
      return;
    }
    const before = passed.get(column) ?? [];
    const next = joins.slice(n + 1).find((other) => (other.column ?? column) === column);
    const read = cutting(column, before, next?.field === 'SEPARATOR' ? next.format : undefined);
    parts.push({ join, column, read });
    const matches = field === 'TIME' ? undefined : matcherOf(join.format, `${at}.joins[${n}]`);
    if (join.filter && matches) filters.push(filterOf(join.filter, (fields) => matches(read(fields))));
  });
  return { parts, filters };
}

function cutting(column: number, before: readonly string[], end: string | undefined): Part['read'] {
  if (before.length === 0 && end === undefined) return (fields) => fields[column] ?? '';
  return (fields) => {
    let text = fields[column] ?? '';
    for (const separator of before) {
      const at = text.indexOf(separator);
      text = at < 0 ? '' : text.slice(at + separator.length);
    }
    const at = end === undefined ? -1 : text.indexOf(end);
    return at < 0 ? text : text.slice(0, at);
  };
}

function filterOf(filter: NonNullable<Join['filter']>, matches: (fields: readonly string[]) => boolean): Filter {
  const isInclude = filter.startsWith('INCLUDE');
  const left = filter.endsWith('RECORD') ? EXCLUDED : 'none';
  return (fields) => (matches(fields) === isInclude ? undefined : left);
}

function applied(filters: readonly Filter[], fields: readonly string[]): ReturnType<Filter> {
  let outcome: ReturnType<Filter>;
  for (const filter of filters) {
    const said = filter(fields);
    if (said === EXCLUDED) return EXCLUDED;
    outcome ??= said;
  }
  return outcome;
}

function patternAt(format: string | undefined, isPart: boolean, at: string): TimePattern {
  try {
    return patternOf(format, isPart);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw invalid('INVALID_TIME_FORMAT', `${at}.${error.message}`);
  }
}

/** @param at what refusals call the column, for example `parser.columns[3]` */
export function timeReader(
  joins: readonly Join[],
  defaultColumn: number,
  at: string,
  context: ReadContext,
): TimeReader {
  const { parts, filters } = partsOf(
    joins.some(({ field }) => field === 'TIME') ? joins : [{ field: 'TIME' }, ...joins],
    defaultColumn,
    at,
  );
  const times = parts.filter(({ join }) => join.field === 'TIME');
  const patterns = times.map(({ join, column, read }) => ({
    read,
    column,
    pattern: patternAt(join.format, times.length > 1, `${at}.joins[${joins.indexOf(join)}]`),
  }));
  const { match } = context.layout;
  const zonePart = zonePartOf(parts, at);
  return (fields) => {
    const said = applied(filters, fields);
    if (said !== undefined) return said === EXCLUDED ? EXCLUDED : undefined;
    const named = zonePart && zoneIn(zonePart.read(fields), context.zoneOf);
    let joined: TimeParts | undefined;
    for (const { read, column, pattern } of patterns) {
      const text = named && column === zonePart?.column ? named.rest : read(fields);
      const found = isDamaged(text) ? undefined : pattern.read(text, match);
      // A part that is missing is none that cannot be read.
      if (found === undefined && text.trim() === '') continue;
      if (found === undefined) return UNREADABLE;
      joined = joined === undefined ? found : { ...joined, ...found };
    }
    const time = joined && (resolveTime(joined, context.todayLocalMs) ?? UNREADABLE);
    if (!zonePart || time === undefined || time === UNREADABLE || 'instantMs' in time) return time;
    return named ? inZone(time, named.zone) : UNKNOWN_ZONE;
  };
}

/** The whole text is a zone, or its last word is one and the rest is the time. */
function zoneIn(text: string, zoneOf: ZoneReader): ReturnType<typeof lastZone> {
  const whole = zoneOf(text);
  return whole ? { rest: text, zone: whole } : lastZone(text, zoneOf);
}

function inZone({ localMs }: { readonly localMs: number }, zone: EffectiveZone): ResolvedTime {
  return zone.isFixed ? { instantMs: zone.instantMsOf(localMs) } : { localMs, zone };
}

function zonePartOf(parts: readonly Part[], at: string): Part | undefined {
  const [first, second] = parts.filter(({ join }) => join.field === 'TIMEZONE');
  if (second) throw invalid('INVALID_PARSER', `${at}.joins: only one may be a TIMEZONE`);
  return first;
}

const FIELD_OF = { NUMBER: 'NUMBER', BOOLEAN: 'BOOLEAN', TEXT: 'TEXT', TIME: 'TIME' } as const;

/** Reads a series of a line. @throws DomainError invalid_argument for joins that make no value of its type */
export function cellReader(
  type: SeriesType,
  given: readonly Join[] | undefined,
  column: number,
  at: string,
  context: ReadContext,
): CellReader {
  const value = valueReader(type, given ?? [], column, at, context);
  const { parts, filters } = partsOf(given ?? [], column, at);
  const quality = parts.find(({ join }) => join.field === 'QUALITY');
  if (filters.length === 0 && !quality) {
    return (fields) => {
      const read = value(fields);
      return read === undefined || read === UNREADABLE || read === EXCLUDED ? read : { value: read };
    };
  }
  return (fields) => {
    const said = applied(filters, fields);
    if (said !== undefined) return said === EXCLUDED ? EXCLUDED : undefined;
    const read = value(fields);
    if (read === UNREADABLE || read === EXCLUDED) return read;
    const q = quality && readQuality(quality.read(fields));
    if (read === undefined) return q === undefined ? undefined : { value: null, quality: q };
    return { value: read, ...(q !== undefined && { quality: q }) };
  };
}

function readQuality(text: string): number | undefined {
  const trimmed = text.trim();
  return /^\d{1,5}$/.test(trimmed) && Number(trimmed) <= QUALITY_MAX ? Number(trimmed) : undefined;
}

function valueReader(
  type: SeriesType,
  given: readonly Join[],
  column: number,
  at: string,
  context: ReadContext,
): (fields: readonly string[]) => Reading<CellValue> {
  const { missing, zone } = context;
  const { match, decimalSeparator } = context.layout;
  if (type === 'TIME') {
    const read = timeReader(given, column, at, context);
    return (fields) => {
      if (missing.isWord((fields[column] ?? '').trim())) return undefined;
      const time = read(fields);
      if (time === UNKNOWN_ZONE) return UNREADABLE;
      if (time === undefined || typeof time === 'symbol') return time;
      return { timeMs: 'instantMs' in time ? time.instantMs : (time.zone ?? zone).instantMsOf(time.localMs) };
    };
  }
  const { parts } = partsOf(given, column, at);
  const texts = (field: Join['field']) => parts.filter(({ join }) => join.field === field).map(({ read }) => read);
  const number = (text: string): Reading<number> => {
    if (missing.isWord(text.trim())) return undefined;
    const read = readNumber(text, match, decimalSeparator);
    if (read === undefined) return UNREADABLE;
    return read === null || missing.isCode(read) ? undefined : read;
  };
  if (type === 'COORDINATES') {
    const [latitude, longitude] = [texts('LATITUDE')[0], texts('LONGITUDE')[0]];
    if (!latitude || !longitude) {
      throw invalid('INVALID_PARSER', `${at}.joins: must have a LATITUDE and a LONGITUDE`);
    }
    return (fields) => coordinates(number(latitude(fields)), number(longitude(fields)));
  }
  const named = texts(FIELD_OF[type]);
  const whole: Part['read'] = (fields) => fields[column] ?? '';
  const reads = named.length > 0 ? named : [whole];
  const [only] = reads;
  const joined = (between: string) =>
    reads.length === 1 && only ? only : (fields: readonly string[]) => reads.map((read) => read(fields)).join(between);
  if (type === 'NUMBER') {
    const text = joined('');
    return (fields) => number(text(fields));
  }
  if (type === 'BOOLEAN') {
    const text = joined('');
    return (fields) => {
      const field = text(fields);
      if (missing.isWord(field.trim())) return undefined;
      const read = readBoolean(field, match);
      return read === undefined ? UNREADABLE : (read ?? undefined);
    };
  }
  // White space that we have written ourselves is part of the text.
  const isVerbatim = context.layout.kind === 'CATCHMENT';
  const text = joined(' ');
  return (fields) => {
    const field = isVerbatim ? text(fields) : text(fields).trim();
    if (field === '' || missing.isWord(field)) return undefined;
    const isKept = isStorableText(field) && !field.includes(UNDECODABLE) && !isLonger(field, TEXT_MAX);
    return isKept ? field : UNREADABLE;
  };
}

/** Counts characters, as writes do: one outside of the basic plane is one. */
const isLonger = (text: string, max: number): boolean =>
  text.length > max && (text.length > 2 * max || [...text].length > max);

function coordinates(latitude: Reading<number>, longitude: Reading<number>): Reading<readonly [number, number]> {
  if (typeof latitude === 'number' && typeof longitude === 'number') {
    return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? [latitude, longitude] : UNREADABLE;
  }
  return latitude === undefined && longitude === undefined ? undefined : UNREADABLE;
}
