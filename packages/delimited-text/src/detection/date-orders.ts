/** Labels say this of a form: what a date begins with. */
export type DayOrder = 'D' | 'M' | 'Y' | undefined;

/** Matches a format with a date of numbers that does not begin with all digits of the year. */
const DATE_TOKENS = /(?<=^|[\sT,])(D|M|YY)([-/.])[DM]\2(?:D|YY(?:YY)?)/;
const TWO_DIGITS = /(?<!\d)(\d{1,2})[-/.](\d{1,2})[-/.](\d{2})(?!\d)/;

/** Returns the formats that differ from the first one in the order of the date, without those that something speaks against. */
export function likelyOrders(sorted: readonly string[], texts: readonly string[], order: DayOrder): string[] {
  const [first = ''] = sorted;
  const shapeOf = (format: string) => format.replace(DATE_TOKENS, '$2');
  const family = sorted.filter((format) => shapeOf(format) === shapeOf(first));
  if (family.length < 2) return [first];
  const by = (start: DayOrder) => family.filter((format) => DATE_TOKENS.exec(format)?.[1]?.[0] === start);
  const [sign] = /[-/.]/.exec(DATE_TOKENS.exec(first)?.[0] ?? '') ?? [];
  const asked = order && by(order);
  if (asked && asked.length > 0) return asked;
  const [years, days] = [by('Y'), by('D')];
  const which = years.length > 0 ? whichIsDay(texts) : 'first';
  if (sign === '.' && days.length > 0) return days;
  if (which === 'last') return years;
  return [...days, ...by('M'), ...(which === 'open' && sign === '-' ? years : [])];
}

/**
 * Decides whether the day is first or last in dates with two digits on both sides: days change from row to row, and
 * years hardly do, unless there is a row a year.
 */
function whichIsDay(texts: readonly string[]): 'first' | 'last' | 'open' {
  const dates: string[] = [];
  const [firsts, months, lasts] = [new Set<number>(), new Set<number>(), new Set<number>()];
  for (const text of texts) {
    const [date, first, month, last] = TWO_DIGITS.exec(text) ?? [];
    if (date === undefined) continue;
    dates.push(date);
    firsts.add(Number(first));
    months.add(Number(month));
    lasts.add(Number(last));
  }
  if (firsts.size > lasts.size || Math.min(...firsts) < YEARS_FROM) return 'first';
  const isOften = new Set(dates).size < dates.length || months.size > 1;
  return firsts.size === 1 && lasts.size > 1 && isOften ? 'last' : 'open';
}
/** Years of two digits before this one are none of a logger's. */
const YEARS_FROM = 10;

/** Puts day, month and year of a format in the order of another one. */
export const reordered = (format: string, like: string): string => {
  const date = DATE_TOKENS.exec(like)?.[0];
  return date === undefined ? format : format.replace(DATE_TOKENS, date);
};

/** Returns what each of many dates begins with, where something says it: `Date (MM/DD/YYYY)`, `TT.MM.JJJJ`. */
export function orderIn(texts: readonly string[]): DayOrder {
  const found = new Set<'D' | 'M' | 'Y'>();
  for (const text of texts) {
    if (/(?:^|[^a-z])(?:d{1,2}|t{1,2}|j{1,2})[-/. ]?m{1,3}[-/. ]?(?:y{2,4}|j{2,4}|a{2,4})(?![a-z])/i.test(text))
      found.add('D');
    if (/(?:^|[^a-z])m{1,2}[-/. ]?d{1,2}[-/. ]?y{2,4}(?![a-z])/i.test(text)) found.add('M');
    if (/(?:^|[^a-z])(?:y{2,4}|j{2,4}|a{4})[-/. ]?m{1,2}[-/. ]?[dtj]{1,2}(?![a-z])/i.test(text)) found.add('Y');
    const [, short] = /(?:^|[^a-z])([dtm])([-/.])[md]\2[yja](?![a-z])/i.exec(text) ?? [];
    if (short) found.add(/m/i.test(short) ? 'M' : 'D');
  }
  if (found.has('D') !== found.has('M')) return found.has('D') ? 'D' : 'M';
  return found.size === 1 ? 'Y' : undefined;
}

/** `24/05/23` of one day may begin with its year. */
export function yearFirst(format: string, sorted: readonly string[], texts: readonly string[]): string | undefined {
  const other = sorted.find((order) => order.startsWith('YY/') && reordered(format, order) === order);
  return other !== undefined && whichIsDay(texts) === 'open' ? other : undefined;
}
