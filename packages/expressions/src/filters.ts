import { formatNumber, parseNumberPattern } from '@catchment/number-format';
import { type FilterImplOptions, filters as library } from 'liquidjs';
import { broken, charge, MAX_ITEMS } from './budget.ts';
import type { RenderContext } from './render-context.ts';
import { type Clock, date, moved, time } from './times.ts';
import { characterCount, charactersOf, countOf, integerOf, isNil, numberOf, plainOf, textOf } from './values.ts';

type FilterHandler = Exclude<FilterImplOptions, { handler: unknown }>;
type FilterImpl = ThisParameterType<FilterHandler>;

/** A filter takes this many arguments, at least and at most. */
type Row = readonly [least: number, most: number, handler: FilterHandler];

/** Filters that synthetic tokens name (check-template.ts); no name in a template can be theirs. */
export const RANGE = '(a..b)';
export const COUNT = '(count)';

const kept = (name: keyof typeof library, least: number, most = least): Row => [
  least,
  most,
  library[name] as FilterHandler,
];
const filter = (least: number, most: number, handler: (value: unknown, ...args: unknown[]) => unknown): Row => [
  least,
  most,
  handler,
];
const clocked = (least: number, most: number, handler: (clock: Clock, ...values: unknown[]) => unknown): Row => [
  least,
  most,
  function (this: FilterImpl, ...values: unknown[]) {
    return handler((this.context as RenderContext).clock, ...values);
  },
];

/** Every filter (docs/reference/expressions.md#filters): those of liquidjs where they do what is asked for, else our own. */
const ROWS: Readonly<Record<string, Row>> = {
  abs: kept('abs', 0),
  at_least: kept('at_least', 1),
  at_most: kept('at_most', 1),
  ceil: kept('ceil', 0),
  decimal: filter(1, 1, decimal),
  divided_by: kept('divided_by', 1),
  floor: kept('floor', 0),
  minus: kept('minus', 1),
  modulo: kept('modulo', 1),
  plus: kept('plus', 1),
  round: kept('round', 0, 1),
  times: kept('times', 1),

  append: kept('append', 1),
  capitalize: filter(0, 0, (value) => textOf(value).replace(/^./u, (first) => first.toUpperCase())),
  downcase: kept('downcase', 0),
  lstrip: kept('lstrip', 0),
  prepend: kept('prepend', 1),
  remove: kept('remove', 1),
  remove_first: kept('remove_first', 1),
  replace: filter(2, 2, replace),
  replace_first: kept('replace_first', 2),
  rstrip: kept('rstrip', 0),
  size: filter(0, 0, sizeOf),
  slice: filter(1, 2, slice),
  split: filter(1, 1, split),
  strip: kept('strip', 0),
  strip_newlines: kept('strip_newlines', 0),
  truncate: filter(1, 2, (value, length, end = '...') =>
    truncate(textOf(value), countOf(length, 'the length'), textOf(end)),
  ),
  truncatewords: filter(1, 2, (value, words, end = '...') =>
    truncateWords(textOf(value), countOf(words, 'the number of words'), textOf(end)),
  ),
  upcase: kept('upcase', 0),

  escape: kept('escape', 0),
  escape_once: kept('escape_once', 0),
  link_to: [1, 1, linkTo],
  newline_to_br: kept('newline_to_br', 0),
  strip_html: kept('strip_html', 0),
  url_decode: kept('url_decode', 0),
  url_encode: kept('url_encode', 0),

  compact: kept('compact', 0),
  concat: kept('concat', 1),
  first: filter(0, 0, (value) => itemsOf(value).at(0)),
  join: kept('join', 0, 1),
  last: filter(0, 0, (value) => itemsOf(value).at(-1)),
  map: kept('map', 1),
  reverse: kept('reverse', 0),
  sort: kept('sort', 0, 1),
  sort_natural: kept('sort_natural', 0, 1),
  uniq: kept('uniq', 0),
  where: kept('where', 1, 2),

  default: kept('default', 1),
  json: filter(0, 0, (value) => JSON.stringify(plainOf(value) ?? null)),

  date: clocked(1, 1, date),
  time: clocked(0, 3, time),
  time_minus: clocked(2, 2, (clock, value, amount, unit) => moved(clock, value, amount, unit, -1)),
  time_plus: clocked(2, 2, (clock, value, amount, unit) => moved(clock, value, amount, unit, 1)),

  [RANGE]: filter(1, 1, range),
  [COUNT]: filter(0, 0, (value) => (isNil(value) ? undefined : countOf(value, 'limit, offset and cols'))),
};

/** A filter takes this many arguments. */
export const ARGUMENTS: ReadonlyMap<string, { readonly least: number; readonly most: number }> = new Map(
  Object.entries(ROWS).map(([name, [least, most]]) => [name, { least, most }]),
);

const counting = (name: string, handler: FilterHandler): FilterHandler =>
  function* (this: FilterImpl, ...values: [unknown, ...unknown[]]) {
    charge(this.context.memoryLimit, ...values);
    const result: unknown = yield handler.apply(this, values);
    charge(this.context.memoryLimit, result);
    if (typeof result === 'number' && !Number.isFinite(result)) throw broken(`${name} gives no number`);
    return result;
  };

/** All filters; what goes in and comes out of each is counted. */
export const FILTERS: Readonly<Record<string, FilterHandler>> = Object.fromEntries(
  Object.entries(ROWS).map(([name, [, , handler]]) => [name, counting(name, handler)]),
);

function decimal(value: unknown, pattern: unknown): string {
  const parsed = parseNumberPattern(textOf(pattern));
  if (!parsed) throw broken('the pattern of decimal is not valid');
  return isNil(value) ? '' : formatNumber(numberOf(value), parsed);
}

/** Items of a list, characters of a text; other values have none. */
function itemsOf(value: unknown): readonly unknown[] {
  const plain = plainOf(value);
  if (Array.isArray(plain)) return plain;
  return typeof plain === 'string' ? charactersOf(plain) : [];
}

function sizeOf(value: unknown): number {
  return itemsOf(value).length;
}

/** Splits between characters where the separator is empty; empty texts at the end are left out, as in Ruby. */
function split(value: unknown, separator: unknown): string[] {
  const parts = partsOf(textOf(value), textOf(separator));
  return parts.slice(0, parts.findLastIndex((part) => part !== '') + 1);
}

function replace(value: unknown, pattern: unknown, replacement: unknown): string {
  return partsOf(textOf(value), textOf(pattern)).join(textOf(replacement));
}

/** An empty separator never splits a character. */
function partsOf(text: string, separator: string): string[] {
  return separator === '' ? charactersOf(text) : text.split(separator);
}

function slice(value: unknown, start: unknown, length: unknown = 1): unknown {
  const all = Array.isArray(value) ? (value as unknown[]) : charactersOf(textOf(value));
  const given = integerOf(start, 'the start of slice');
  const from = given < 0 ? all.length + given : given;
  const part = from < 0 ? [] : all.slice(from, from + countOf(length, 'the length of slice'));
  return Array.isArray(value) ? part : part.join('');
}

function truncate(text: string, length: number, end: string): string {
  const characters = charactersOf(text);
  if (characters.length <= length) return text;
  return characters.slice(0, Math.max(0, length - characterCount(end))).join('') + end;
}

function truncateWords(text: string, count: number, end: string): string {
  const words = text.split(/\s+/).filter((word) => word !== '');
  return words.length <= count ? text : words.slice(0, Math.max(1, count)).join(' ') + end;
}

const LINK = /^(?:https?:\/\/|mailto:)/i;

function linkTo(this: FilterImpl, value: unknown, url: unknown): string {
  const escaped = (text: unknown): string => (library.escape as FilterHandler).call(this, textOf(text));
  if (!LINK.test(textOf(url))) throw broken('link_to takes an address that begins with http://, https:// or mailto:');
  return `<a href="${escaped(url)}">${escaped(value)}</a>`;
}

/** `(a..b)`; the bounds must be whole numbers. */
function range(from: unknown, to: unknown): number[] {
  const [first, last] = [integerOf(from, 'the bounds of a range'), integerOf(to, 'the bounds of a range')];
  if (last - first >= MAX_ITEMS) throw broken(`a range has more than ${MAX_ITEMS} items`);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
}
