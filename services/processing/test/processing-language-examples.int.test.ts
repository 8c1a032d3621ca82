// The programs of examples/ run over tables of inputs, against values that a script in another language has computed
// (processing-language-examples.py).
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { EmittedRecord } from '../src/usecases/sandbox.ts';
import { type Given, type Input, openSandbox, textsOf } from './processing-language-harness.ts';

type Series<T> = readonly (T | null)[];
type Table = {
  readonly kind?: 'processor';
  readonly zone?: string;
  readonly times: readonly number[];
  readonly inputs: Readonly<
    Record<
      string,
      | Series<number>
      | { readonly values: Series<number>; readonly times: Series<number>; readonly qualities: Series<number> }
    >
  >;
  /** Each run's record has this value and quality. */
  readonly expected?: readonly (readonly [value: number | null, quality: number | null] | null)[];
  readonly outputs?: readonly string[];
  /** Outputs' records by output name. */
  readonly expectedOutputs?: Readonly<Record<string, readonly (readonly [timeMs: number, value: number, null])[]>>;
};

const FOLDER = path.join(import.meta.dirname, '../examples');
const tables = JSON.parse(
  readFileSync(path.join(import.meta.dirname, 'processing-language-examples.json'), 'utf8'),
) as Record<string, Table>;
const QUALITIES = { 'Bad - No Data': 155, 'Uncertain - Subnormal': 149, 'Good - Entry Inserted': 162 };

const { run, close } = openSandbox();
afterAll(close);

const present = <T>(series: Series<T>): (T | undefined)[] => series.map((value) => value ?? undefined);

const isPlain = (series: Table['inputs'][string]): series is Series<number> => Array.isArray(series);

function givenOf({ kind, zone, times, inputs, outputs = [] }: Table): Given {
  const inputOf = (series: Table['inputs'][string]): Input => {
    if (isPlain(series)) return { values: present(series) };
    return { values: present(series.values), times: present(series.times), qualities: present(series.qualities) };
  };
  return {
    ...(kind && { kind, outputs: Object.fromEntries(outputs.map((name) => [name, 'NUMBER' as const])) }),
    inputs: Object.fromEntries(Object.entries(inputs).map(([name, series]) => [name, inputOf(series)])),
    times,
    qualities: QUALITIES,
    zone: { name: zone ?? 'Etc/UTC', adjustsForDst: true },
  };
}

const near = (value: number): unknown => expect.closeTo(value, 9);
const shape = ({ timeMs, value, quality }: Omit<EmittedRecord, 'run' | 'output'>) => [timeMs, value, quality];

test('every example has a table', () => {
  const programs = readdirSync(FOLDER).filter((name) => name.endsWith('.js'));
  expect(programs.sort()).toEqual(
    Object.keys(tables)
      .map((name) => `${name}.js`)
      .sort(),
  );
  expect(programs).toHaveLength(10);
});

test.each(Object.keys(tables))('%s', async (name) => {
  const table = tables[name] as Table;
  const code = readFileSync(path.join(FOLDER, `${name}.js`), 'utf8');
  const result = await run(code, givenOf(table));
  expect([result.runs, textsOf(result)]).toEqual([table.times.length, []]);
  if (table.expected) {
    const expected = table.expected.flatMap((result, n) => {
      if (result === null) return [];
      const [value, quality] = result;
      return [[table.times[n], value === null ? undefined : near(value), quality ?? undefined]];
    });
    expect(result.records.map(shape)).toEqual(expected);
  }
  for (const [output, expected] of Object.entries(table.expectedOutputs ?? {})) {
    const index = table.outputs?.indexOf(output);
    const records = result.records.filter((record) => record.output === index);
    expect(records.map(shape)).toEqual(expected.map(([timeMs, value]) => [timeMs, near(value), undefined]));
  }
});
