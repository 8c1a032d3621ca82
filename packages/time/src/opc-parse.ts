import { HOUR_MS, MINUTE_MS } from './civil.ts';

/** Units of OPC relative time in the order in which an interval is written (docs/reference/time.md#relative-time). */
const OPC_UNITS = ['Y', 'MO', 'W', 'D', 'H', 'M', 'S'] as const;
export type OpcUnit = (typeof OPC_UNITS)[number];

interface OpcOffset {
  /** Signed. */
  readonly amount: number;
  readonly unit: OpcUnit;
}

/** `base [zone] offsets`, for example `DAY[+10:00] -1D+7H30M`. */
export interface OpcExpression {
  readonly base: 'NOW' | 'FIRST' | 'LAST' | OpcUnit;
  /** Offset of the `[+10:00]` part. */
  readonly zoneOffsetMs?: number;
  readonly offsets: readonly OpcOffset[];
}

/** An OPC interval has this many of each unit, summed; at least one is above 0. */
export type OpcPeriod = Readonly<Record<OpcUnit, number>>;

interface OpcOptions {
  /** Query arguments: white space where a sign must stand is read as `+` (docs/reference/query-arguments.md#decoding). */
  readonly spaceAsPlus?: boolean;
}

const MAX_TEXT = 256;
const MAX_PERIOD_ITEMS = 10;
/** The longest spelling comes first: `MO` before `M` (docs/reference/time.md#relative-time). */
const UNIT = '(?:(YEARS?|Y)|(MONTHS?|MO)|(WEEKS?|W)|(DAYS?|D)|(HOURS?|H)|(MINUTES?|M)|(SECONDS?|S))';
const BASE = new RegExp(`(?:(NOW|FIRST|LAST)|${UNIT})`, 'y');
const ITEM = new RegExp(`(\\d{1,9})${UNIT}`, 'y');
const ZONE = /\[(?:(Z)|([+-])(\d\d):(\d\d))\]/y;

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}

/** Returns which of the seven groups from `first` on has matched. */
const unitOf = (match: RegExpExecArray, first: number): OpcUnit =>
  OPC_UNITS[OPC_UNITS.findIndex((_, i) => match[first + i] !== undefined)]!;

/** Returns the AST of an OPC relative time, or undefined when `text` is none (docs/reference/time.md#relative-time). */
export function parseOpc(text: string, options: OpcOptions = {}): OpcExpression | undefined {
  if (text.length > MAX_TEXT) return undefined;
  const signed = options.spaceAsPlus === true ? plusForSpace(text.trim()) : text;
  const compact = signed.replaceAll(/\s/g, '').toUpperCase();

  const base = matchAt(BASE, compact, 0);
  if (base === undefined) return undefined;
  let at = base[0].length;

  let zoneOffsetMs: number | undefined;
  if (compact[at] === '[') {
    const zone = matchAt(ZONE, compact, at);
    if (zone === undefined) return undefined;
    zoneOffsetMs = zone[1] !== undefined ? 0 : bracketOffsetMs(zone);
    if (zoneOffsetMs === undefined) return undefined;
    at += zone[0].length;
  }

  const offsets: OpcOffset[] = [];
  let sign = 0;
  while (at < compact.length) {
    if (compact[at] === '+') sign = 1;
    else if (compact[at] === '-') sign = -1;
    else if (sign === 0) return undefined;
    if (compact[at] === '+' || compact[at] === '-') at++;
    const item = matchAt(ITEM, compact, at);
    if (item === undefined) return undefined;
    offsets.push({ amount: sign * Number(item[1]), unit: unitOf(item, 2) });
    at += item[0].length;
  }
  return {
    base: (base[1] as 'NOW' | 'FIRST' | 'LAST' | undefined) ?? unitOf(base, 2),
    ...(zoneOffsetMs === undefined ? {} : { zoneOffsetMs }),
    offsets,
  };
}

/** A sign must stand only after the base (or its zone) and inside the brackets; a later blank is just a blank. */
const plusForSpace = (text: string): string =>
  text.replace(/\[\s+(?=\d)/, '[+').replace(/^([A-Za-z]+(?:\s*\[[^\]]*\])?)\s+(?=\d)/, '$1+');

function bracketOffsetMs(zone: RegExpExecArray): number | undefined {
  const hours = Number(zone[3]);
  const minutes = Number(zone[4]);
  if (hours > 23 || minutes > 59) return undefined;
  return (zone[2] === '-' ? -1 : 1) * (hours * HOUR_MS + minutes * MINUTE_MS);
}

/** Parses an OPC interval such as `1H30M` or `1MO`: unsigned, 1-10 items, in total above 0; undefined for anything else. */
export function parsePeriod(text: string): OpcPeriod | undefined {
  if (text.length > MAX_TEXT) return undefined;
  const compact = text.replaceAll(/\s/g, '').toUpperCase();
  const period = { Y: 0, MO: 0, W: 0, D: 0, H: 0, M: 0, S: 0 };
  let items = 0;
  for (let at = 0; at < compact.length; items++) {
    const item = matchAt(ITEM, compact, at);
    if (item === undefined) return undefined;
    period[unitOf(item, 2)] += Number(item[1]);
    at += item[0].length;
  }
  if (items > MAX_PERIOD_ITEMS || OPC_UNITS.every((unit) => period[unit] === 0)) return undefined;
  return period;
}

/** Writes the short form, units in the order Y MO W D H M S: `6Y3MO65D8H32M`. */
export const formatPeriod = (period: OpcPeriod): string =>
  OPC_UNITS.map((unit) => (period[unit] > 0 ? `${period[unit]}${unit}` : '')).join('');
