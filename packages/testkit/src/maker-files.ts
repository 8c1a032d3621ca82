import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Files as loggers and programs of others write them, each with what is to be read of it (e2e/data/makers/README.md). */
const FOLDER = path.resolve(import.meta.dirname, '../../../e2e/data/makers');
const SUFFIX = '.expected';

/** right: all of it. asks: the same, and words say what was assumed or left out. refuses: words say why nothing of it is read. */
type MakerOutcome = 'right' | 'asks' | 'refuses';
type Value = number | string | boolean;
type MakerSeries = {
  /** The first is what a person would call it; the others are as good. */
  readonly names: readonly string[];
  /** `*`: any. */
  readonly units: readonly string[];
  readonly type: string;
  /** The key is in Unix ms; texts, truth values and times are as the API shows them. */
  readonly records: ReadonlyMap<number, Value>;
};
export type MakerFile = {
  readonly name: string;
  readonly bytes: Buffer;
  readonly outcome: MakerOutcome;
  /** The source of the file has this zone. */
  readonly timezone: string;
  readonly timezoneAdjustForDst: boolean;
  /** This zone is to be proposed. */
  readonly zone: string | undefined;
  /** Each line is in what a person reads; one of its alternatives is enough. */
  readonly says: readonly (readonly string[])[];
  /** Lines that cannot be read, fields of others, and lines that have the time of another one. */
  readonly failed: number;
  readonly unreadable: number;
  readonly repeated: number;
  /** Columns that may be series or not: counters, numbers of stations. */
  readonly also: ReadonlySet<string>;
  /** The reason why the file is not read as it is to be. */
  readonly notYet: string | undefined;
  readonly series: readonly MakerSeries[];
};
export type ReadSeries = {
  readonly units: string;
  readonly type: string;
  readonly records: ReadonlyMap<number, unknown>;
};

export const makerFiles = (): readonly MakerFile[] =>
  readdirSync(FOLDER)
    .filter((name) => name.endsWith(SUFFIX))
    .sort()
    .map((name) => makerFile(name.slice(0, -SUFFIX.length)));

const choices = (text = ''): string[] => text.split(' | ');

function makerFile(name: string): MakerFile {
  const [head = '', table = ''] = readFileSync(path.join(FOLDER, `${name}${SUFFIX}`), 'utf8').split('\n\n');
  const facts = head.split('\n').map((line) => line.trim().split(/: (.*)/s));
  const all = (fact: string) => facts.flatMap(([key, value]) => (key === fact && value ? [value] : []));
  const [timezone = 'Etc/UTC', dst] = (all('source')[0] ?? '').split(' ').filter(Boolean);
  const count = (fact: string) => Number(all(fact)[0] ?? 0);
  return {
    name,
    bytes: readFileSync(path.join(FOLDER, name)),
    outcome: all('outcome')[0] as MakerOutcome,
    timezone,
    timezoneAdjustForDst: dst === 'dst',
    zone: all('zone')[0],
    says: all('says').map(choices),
    failed: count('failed'),
    unreadable: count('unreadable'),
    repeated: count('repeated'),
    also: new Set(all('also')),
    notYet: all('not yet')[0],
    series: seriesOf(table),
  };
}

function seriesOf(table: string): MakerSeries[] {
  const [names = [], units = [], types = [], ...rows] = table.split('\n').map((line) => line.split('\t'));
  const readValue = (text: string, type: string | undefined): Value =>
    type === 'NUMBER' ? Number(text) : type === 'BOOLEAN' ? text === 'true' : text;
  return names.slice(1).map((name, n) => ({
    names: choices(name),
    units: choices(units[n + 1]),
    type: types[n + 1] ?? '',
    records: new Map(
      rows.flatMap(([time = '', ...cells]) => {
        const text = cells[n];
        return text ? [[Date.parse(time), readValue(text, types[n + 1])] as const] : [];
      }),
    ),
  }));
}

const SHOWN = 4;

/** Lists what is not as it is to be, in a few lines. @param read by the keys of the series */
export function makerDifferences(file: MakerFile, read: ReadonlyMap<string, ReadSeries>): string[] {
  const found: string[] = [];
  const known = new Set(file.also);
  for (const { names, units, type, records } of file.series) {
    const key = names.find((name) => read.has(name));
    const got = key === undefined ? undefined : read.get(key);
    if (key === undefined || !got) {
      found.push(`there is no series '${names[0]}', only ${[...read.keys()].join(', ') || 'none'}`);
      continue;
    }
    known.add(key);
    // A column that is empty, or nearly so, may be of any type.
    if (got.type !== type && records.size > 1) found.push(`${key} is ${got.type}, not ${type}`);
    if (!units.includes('*') && !units.includes(got.units)) found.push(`${key} has '${got.units}', not '${units[0]}'`);
    found.push(...differencesOf(key, records, got.records));
  }
  for (const [key, { records }] of read)
    if (!known.has(key) && records.size > 0) found.push(`there is a series '${key}'`);
  return found.slice(0, SHOWN);
}

function differencesOf(key: string, records: MakerSeries['records'], got: ReadSeries['records']): string[] {
  const at = (ms: number) => `${key} at ${new Date(ms).toISOString()}`;
  return [
    ...[...records].flatMap(([ms, value]) =>
      got.get(ms) === value ? [] : [`${at(ms)} is ${got.get(ms) ?? 'missing'}, not ${value}`],
    ),
    ...[...got.keys()].flatMap((ms) => (records.has(ms) ? [] : [`${at(ms)} is ${got.get(ms)}, and should not be`])),
  ];
}

/** Returns the lines of `says` that are in none of the texts. */
export const notSaid = ({ says }: Pick<MakerFile, 'says'>, texts: readonly string[]): string[] =>
  says.flatMap((words) => {
    const isSaid = words.some((word) => texts.some((text) => text.toLowerCase().includes(word.toLowerCase())));
    return isSaid ? [] : [`nothing says '${words.join("' or '")}', only: ${texts.join(' ').slice(0, 300)}`];
  });
