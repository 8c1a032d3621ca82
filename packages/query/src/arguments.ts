import { type DomainError, invalid } from '@catchment/errors';
import {
  type EffectiveZone,
  effectiveZone,
  type OpcExpression,
  type OpcPeriod,
  parseInstantMs,
  parseOpcArgument,
  parsePeriodArgument,
  readTimeArgument,
  type TimeArgument,
} from '@catchment/time';
import { type AttrSelector, parseAttr } from './attr.ts';
import { type Filter, parseFilter } from './filter.ts';
import { parseBoolean } from './operand.ts';
import { parseSort, type Sort } from './sort.ts';

const invalidArgument = (name: string, rule: string): DomainError => invalid('INVALID_ARGUMENT', `${name} ${rule}`);

/**
 * Reads decoded query arguments by the rules in docs/reference/query-arguments.md#decoding: an empty argument counts as
 * absent, every reader answers undefined for an absent one and throws DomainError invalid_argument, naming argument and
 * rule, for a wrong one.
 */
export interface ArgumentReader {
  /** Present at all, even empty. */
  has(name: string): boolean;
  text(name: string): string | undefined;
  /** For the arguments where empty means something: `delimiter`, `textQualifier`, `renderFormat`, `title` and so on. */
  textOrEmpty(name: string): string | undefined;
  int(name: string, range: { readonly min: number; readonly max: number }): number | undefined;
  /** `TRUE` or `FALSE` in any letter case; unlike the others, an empty one is refused (docs/reference/query-arguments.md#decoding). */
  bool(name: string): boolean | undefined;
  /** One of `allowed` (upper-case), given in any letter case. */
  oneOf<const T extends string>(name: string, allowed: readonly T[]): T | undefined;
  /** A comma-separated set of `allowed`. */
  listOf<const T extends string>(name: string, allowed: readonly T[]): readonly T[] | undefined;
  /** ISO only, UTC milliseconds. */
  instantMs(name: string, zone?: EffectiveZone): number | undefined;
  /** ISO or OPC. */
  time(name: string, zone?: EffectiveZone): TimeArgument | undefined;
  relativeTime(name: string): OpcExpression | undefined;
  period(name: string): OpcPeriod | undefined;
  /** Of `timezone` (default Etc/UTC) and `timezoneAdjustForDst` (default FALSE). */
  zone(nowMs: number): EffectiveZone;
  attr(): AttrSelector | undefined;
  /** Empty = no filtering. */
  filter(): Filter;
  sort(): Sort;
}

/** A reader of the arguments that the gateway passes on. */
export function readArguments(given: Readonly<Record<string, string>>): ArgumentReader {
  const raw = (name: string) => (Object.hasOwn(given, name) ? given[name] : undefined);
  const text = (name: string) => raw(name) || undefined;
  const map = <T>(name: string, read: (value: string) => T): T | undefined => {
    const value = text(name);
    return value === undefined ? undefined : read(value);
  };
  const bool = (name: string) => {
    const value = raw(name);
    if (value === undefined) return undefined;
    const parsed = parseBoolean(value);
    if (parsed === undefined) throw invalidArgument(name, 'must be TRUE or FALSE');
    return parsed;
  };
  return {
    has: (name) => raw(name) !== undefined,
    text,
    textOrEmpty: raw,
    int: (name, range) => map(name, (value) => readInt(name, value, range)),
    bool,
    oneOf: (name, allowed) => map(name, (value) => readOneOf(name, value, allowed)),
    listOf: (name, allowed) =>
      map(name, (value) => value.split(',').map((item) => readOneOf(name, item.trim(), allowed))),
    instantMs: (name, zone) =>
      map(name, (value) =>
        parseInstantMs(name, value, zone === undefined ? { spaceAsPlus: true } : { zone, spaceAsPlus: true }),
      ),
    time: (name, zone) => map(name, (value) => readTimeArgument(name, value, zone)),
    relativeTime: (name) => map(name, (value) => parseOpcArgument(name, value)),
    period: (name) => map(name, (value) => parsePeriodArgument(name, value)),
    zone: (nowMs) => effectiveZone(text('timezone') ?? 'Etc/UTC', bool('timezoneAdjustForDst') ?? false, nowMs),
    attr: () => map('attr', parseAttr),
    filter: () => map('filter', parseFilter) ?? [],
    sort: () => map('sort', parseSort) ?? [],
  };
}

function readInt(name: string, value: string, { min, max }: { min: number; max: number }): number {
  const parsed = /^[+-]?\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
  if (!(parsed >= min && parsed <= max)) throw invalidArgument(name, `must be a whole number ${min}-${max}`);
  return parsed === 0 ? 0 : parsed;
}

function readOneOf<const T extends string>(name: string, value: string, allowed: readonly T[]): T {
  const upper = value.toUpperCase();
  const found = allowed.find((known) => known === upper);
  if (found === undefined) throw invalidArgument(name, `must be one of ${allowed.join(', ')}`);
  return found;
}
