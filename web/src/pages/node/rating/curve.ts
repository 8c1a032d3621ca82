import { lastIndexAtOrBelow, ratedByPolynomial, ratedByTable } from '@catchment/equation/rating';

/** A cell stays as it is typed: what is no number stays a text, which the server refuses at its place. */
export type Cell = number | string | null;
export type FormRow = readonly [input: Cell, result: Cell];
/** An entry in the form. */
export type FormEntry = {
  readonly startTime: string;
  readonly table?: readonly FormRow[] | null;
  readonly equationType?: string | null;
  readonly coefficients?: Readonly<Record<string, Cell>> | null;
};
export type Point = {
  readonly input: number;
  readonly result: number /** Its place in the table. */;
  readonly index: number;
};

/** docs/reference/processing-and-ratings.md#ratings */
export const MOST = { entries: 100, rows: 1_000, coefficients: 26 } as const;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

export const entriesOf = (value: unknown): readonly FormEntry[] => (Array.isArray(value) ? (value as FormEntry[]) : []);
export const isTable = (entry: FormEntry): boolean => Array.isArray(entry.table);
const isNumber = (cell: unknown): cell is number => typeof cell === 'number' && Number.isFinite(cell);

/** Returns the rows that are numbers, in the order of their inputs. */
export const pointsOf = (rows: readonly FormRow[]): readonly Point[] =>
  rows
    .flatMap(([input, result], index) => (isNumber(input) && isNumber(result) ? [{ input, result, index }] : []))
    .sort((a, b) => a.input - b.input);

export const coefficientsOf = ({ coefficients }: FormEntry): readonly Cell[] =>
  Object.entries(coefficients ?? {})
    .filter(([, value]) => value !== null)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, value]) => value);

export const withCoefficients = (entry: FormEntry, values: readonly Cell[]): FormEntry => ({
  startTime: entry.startTime,
  equationType: 'POLYNOMIAL',
  coefficients: Object.fromEntries(values.map((value, i) => [LETTERS[i]!, value])),
});

export const letterAt = (index: number): string => LETTERS[index]!;

/** Computes what an entry makes of an input; NaN where it makes nothing. */
export function resultOf(entry: FormEntry, x: number): number {
  if (!isTable(entry)) return ratedByPolynomial(coefficientsOf(entry).filter(isNumber), x);
  const points = pointsOf(entry.table!);
  return ratedByTable({ inputs: points.map(({ input }) => input), results: points.map(({ result }) => result) }, x);
}

/** Makes a function of what a rating makes of an input at a time; undefined before its first entry. */
function rater(entries: readonly FormEntry[]): (ms: number, x: number) => number | undefined {
  const inOrder = entries
    .map((entry) => ({ startMs: Date.parse(entry.startTime), entry, points: pointsOf(entry.table ?? []) }))
    .filter(({ startMs }) => Number.isFinite(startMs))
    .sort((a, b) => a.startMs - b.startMs)
    .map(({ startMs, entry, points }) => {
      const rows = { inputs: points.map(({ input }) => input), results: points.map(({ result }) => result) };
      const coefficients = coefficientsOf(entry).filter(isNumber);
      return {
        startMs,
        at: isTable(entry) ? (x: number) => ratedByTable(rows, x) : (x: number) => ratedByPolynomial(coefficients, x),
      };
    });
  return (ms, x) => inOrder[lastIndexAtOrBelow(inOrder.length, (i) => inOrder[i]!.startMs, ms)]?.at(x);
}

/** A row that is moved stays between its neighbours: two equal inputs are none. */
export function movedTo(
  rows: readonly FormRow[],
  index: number,
  to: { readonly input: number; readonly result: number },
  step: number,
): readonly FormRow[] {
  const points = pointsOf(rows);
  const at = points.findIndex((point) => point.index === index);
  const [below, above] = [
    points[at - 1]?.input ?? Number.NEGATIVE_INFINITY,
    points[at + 1]?.input ?? Number.POSITIVE_INFINITY,
  ];
  // A point whose neighbours are nearer than two steps stays where it is.
  const current = points[at]!.input;
  const [least, most] = [below + step, above - step];
  const input = least > most ? current : Math.min(Math.max(to.input, least), most);
  return rows.map((row, i) => (i === index ? [plain(input), plain(to.result)] : row));
}

/** Cuts off the dust of binary numbers. */
const plain = (value: number): number => Number(value.toPrecision(12));

/** Adds a row half-way to the next one, otherwise a step beyond the last. */
export function withRowAfter(
  rows: readonly FormRow[],
  index: number,
): { readonly rows: readonly FormRow[]; readonly index: number } {
  const points = pointsOf(rows);
  const at = points.findIndex((point) => point.index === index);
  const [point, next, before] = [points[at], points[at + 1], points[at - 1]];
  const row: FormRow = !point
    ? [null, null]
    : next
      ? [plain((point.input + next.input) / 2), plain((point.result + next.result) / 2)]
      : before
        ? [plain(2 * point.input - before.input), plain(2 * point.result - before.result)]
        : [plain(point.input + 1), point.result];
  const place = index < 0 ? rows.length : index + 1;
  return { rows: [...rows.slice(0, place), row, ...rows.slice(place)], index: place };
}

/** Reads rows of a sheet, as its cells are copied: two columns by tabs, semicolons or blanks. @returns undefined: it is no table */
export function pasted(text: string, numberOf: (cell: string) => number | undefined): readonly FormRow[] | undefined {
  const lines = text.split(/\r\n|\n|\r/).filter((line) => line.trim() !== '');
  const rows = lines.map((line): FormRow | undefined => {
    const cells = line.trim().split(/\s*[\t;]\s*|\s+/);
    if (cells.length !== 2) return undefined;
    const [input, result] = cells.map((cell) => numberOf(cell) ?? cell);
    return [input!, result!];
  });
  return rows.length > 0 && rows.every((row) => row !== undefined) ? rows : undefined;
}

/** Finds inputs that stand in several rows: the server takes none of them. */
export function doubledIn(rows: readonly FormRow[]): ReadonlySet<number> {
  const first = new Map<number, number>();
  const doubled = new Set<number>();
  for (const { input, index } of pointsOf(rows)) {
    if (first.has(input)) doubled.add(index);
    else first.set(input, index);
  }
  return doubled;
}

export type Effect = {
  readonly before: readonly (number | undefined)[];
  readonly after: readonly (number | undefined)[];
  /** The result of these records is another one, or they have one only before or after. */
  readonly changed: number;
  /** Two results differ by at most this. */
  readonly most: number;
  /** This many inputs get no value: outside of a table, or before the first entry. */
  readonly without: number;
};

/** Computes what a change makes of records of the input. */
export function effectOf(
  records: readonly { readonly ms: number; readonly value: number }[],
  saved: readonly FormEntry[],
  typed: readonly FormEntry[],
): Effect {
  const [was, is] = [rater(saved), rater(typed)];
  const value = (number: number | undefined) => (number !== undefined && Number.isFinite(number) ? number : undefined);
  const before = records.map(({ ms, value: x }) => value(was(ms, x)));
  const after = records.map(({ ms, value: x }) => value(is(ms, x)));
  const differences = before.flatMap((value, i) =>
    value === after[i] ? [] : [Math.abs((value ?? Number.NaN) - (after[i] ?? Number.NaN))],
  );
  return {
    before,
    after,
    changed: differences.length,
    most: Math.max(0, ...differences.filter(Number.isFinite)),
    without: after.filter((value) => value === undefined).length,
  };
}
