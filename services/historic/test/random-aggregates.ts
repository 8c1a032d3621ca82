import type { SeriesConfig } from '@catchment/contracts/nodes';
import { qualityTypeOf } from '@catchment/quality';
import { readOptions } from '../src/columns/domain/read-options.ts';
import type { StoredRecord } from '../src/records/domain/record-set.ts';
import { type PlainQuery, type PlainRecord, type PlainResult, plainBase } from './aggregate-reference.ts';
import { TYPES } from './series.ts';

const HOUR = 3_600_000;
const MIN = 60_000;

/** Bounds are in Unix ms. */
export type Asked = {
  readonly startMs?: number | undefined;
  readonly endMs?: number | undefined;
  readonly limit?: number | undefined;
  readonly nowMs?: number;
};
/** The records and queries lie around this moment. */
type Moment = { middleMs: number; spanMs: number; which: number; lengthMs: number; isApia: boolean };
type Config = Partial<SeriesConfig> & { multiplier: number; offset: number; equation: string; isDirection: boolean };

/** Equations mean this; with an equation, multiplier and offset take no effect. */
const EQUATIONS: Readonly<Record<string, (x: number) => number>> = {
  x: (x) => x,
  '10-x/4': (x) => 10 - x / 4,
  '-2*(x+3)': (x) => -2 * (x + 3),
  '(x-32)*5/9': (x) => ((x - 32) * 5) / 9,
  '0*x+1': (x) => 0 * x + 1,
  'x*1e300*1e10': (x) => x * 1e300 * 1e10,
  'x^2': (x) => x ** 2,
  'max(x, 1)': (x) => Math.max(x, 1),
  'sqrt(x)': Math.sqrt,
  '1/x^2': (x) => 1 / x ** 2,
};

const PERIODS = ['20S', '7M', '30M', '1H', '1H30M', '6H', '1D', '1D12H', '1W', '1MO', '1MO3D', '2MO', '1Y'] as const;
const LENGTHS = [20 / 60, 7, 30, 60, 90, 360, 1440, 2160, 10_080, 43_800, 48_000, 87_600, 525_600];
const BASES = ['D', 'H', 'NOW', 'D+9H', 'D+2H30M', 'FIRST', 'LAST-1H', 'D[+05:45]'];
/** Short intervals are too many: the reference counts every one of them from the base on. */
const FAR_BASES = ['MO', 'Y', 'W', 'MO-1D'];
const ZONES = [
  'Etc/UTC',
  'Europe/Berlin',
  'Australia/Sydney',
  'Australia/Lord_Howe',
  'America/New_York',
  'Asia/Kathmandu',
  'Pacific/Apia',
  'America/St_Johns',
];
/** Apia left out a day then. */
const APIA_LEAP = '2011-12-30T10:00Z';
const AROUND = ['2024-03-31T01:00Z', '2024-10-27T01:00Z', '2024-04-06T16:00Z', '2024-10-05T16:00Z', APIA_LEAP];
const OF_NUMBERS = [
  'INTERPOLATED',
  'AVERAGE',
  'MEDIAN',
  'TOTAL',
  'MIN',
  'MAX',
  'RANGE',
  'DELTA',
  'CIRCULAR_MEAN',
  'TIME_WEIGHTED_MEAN',
  'PERCENTILE',
  'STDDEV',
  'COUNTER_INCREASE',
  'COUNTER_RATE',
];
const PERCENTILES = ['0', '50', '100', '90', '2.5', '33.333'];
const OF_ANYTHING = ['CHANGE', 'COUNT', 'START', 'END'];
const RANGE_STATES = ['LOW', 'NORMAL', 'HIGH'].map((name, n) => ({
  stateId: name,
  name,
  threshold: [-100, undefined, 100][n],
  textThreshold: undefined,
  occurrences: 1,
  isAlarm: false,
  notify: 'NEVER',
  categoryId: '',
  messageAway: '',
  messageTowards: '',
  qualityCode: undefined,
}));
const stateOf = (value: number) => (value >= 100 ? 'HIGH' : value <= -100 ? 'LOW' : 'NORMAL');

/** Random series and questions about them: gaps, duplicates, qualities, texts, zones and their changes. */
export class RandomAggregates {
  readonly #random: () => number;
  /** Other numbers may cancel this number. */
  #before = 0;

  constructor(seed: number) {
    this.#random = randomOf(seed);
  }

  /** Returns a number from 0 to 1. */
  share = (): number => this.#random();
  pick = <T>(...list: T[]): T => list[Math.floor(this.#random() * list.length)] as T;
  whole = (max: number): number => Math.floor(this.#random() * (max + 1));
  rounded = (ms: number, grain = this.pick(1, 1000, 10 * MIN, HOUR)): number => Math.round(ms / grain) * grain;

  moment(): Moment {
    const which = this.whole(PERIODS.length - 1);
    const lengthMs = Math.round((LENGTHS[which] ?? 1) * MIN);
    const around = this.pick(...AROUND);
    const middleMs = this.rounded(Date.parse(around) + (this.share() - 0.5) * this.pick(0, 2, 400) * 24 * HOUR);
    return { middleMs, which, lengthMs, spanMs: lengthMs * this.pick(0.5, 3, 12), isApia: around === APIA_LEAP };
  }

  /** Ascending; multiples of 1/1024, or texts. */
  series({ middleMs, spanMs }: Moment): { config: Config; records: Partial<StoredRecord>[] } {
    const isText = this.share() < 0.2;
    const [multiplier, offset] = isText ? [1, 0] : this.pick([1, 0], [1, 0], [0.5, -3], [-4, 10]);
    const equation = !isText && this.share() < 0.3 ? this.pick(...Object.keys(EQUATIONS)) : '';
    const times = new Set<number>();
    for (let count = this.pick(0, 1, 5, 40); count > 0; count -= 1)
      times.add(this.rounded(middleMs + (this.share() - 0.5) * 2.5 * spanMs));
    const cleanness = this.pick(0.6, 0.95, 1);
    const isPositive = this.share() < 0.5;
    const hugeness = this.pick(0, 0, 0.5, 1);
    const records = [...times]
      .sort((a, b) => a - b)
      .map((timeMs) => this.#record(timeMs, { isText, cleanness, isPositive, hugeness }));
    const valueType = isText ? TYPES.TEXT : TYPES.NUMBER;
    const isDirection = !isText && this.share() < 0.2;
    const states = { statesType: 'RANGE', states: RANGE_STATES };
    return { config: { multiplier, offset, equation, valueType, isDirection, ...states }, records };
  }

  #record(
    timeMs: number,
    {
      isText,
      cleanness,
      isPositive,
      hugeness,
    }: Record<'isText' | 'isPositive', boolean> & Record<'cleanness' | 'hugeness', number>,
  ): Partial<StoredRecord> {
    const quality = this.share() < cleanness ? undefined : this.pick(149, 155, 158, 162, 165, 9, 0);
    if (this.share() > Math.max(cleanness, 0.9)) return { timeMs, quality, annotation: 'x' };
    if (isText) return { timeMs, quality, text: this.pick('a', 'b', '') };
    const number = this.pick(
      this.whole(3),
      (this.whole(2e9) - 1e9) / 1024,
      (this.whole(4e5) - 2e5) / 1024,
      // Numbers have all digits of a double: plain sums lose some.
      this.share() < hugeness ? (this.whole(2 ** 53) - 2 ** 52) / 1024 : 1 / 1024,
      -this.#before,
    );
    if (this.share() < 0.5) this.#before = number;
    return { timeMs, quality, number: isPositive ? Math.abs(number) : number };
  }

  /** Picks the arguments that all columns of a query share. */
  question({ middleMs, spanMs, which, lengthMs, isApia }: Moment): {
    given: Record<string, string>;
    asked: Required<Asked>;
  } {
    const shape = this.pick('both', 'both', 'both+limit', 'start+limit', 'end+limit', 'limit');
    const hasBoth = shape.startsWith('both');
    const first = hasBoth || shape === 'start+limit' ? this.rounded(middleMs - spanMs * this.share()) : undefined;
    const second =
      hasBoth || shape === 'end+limit' ? this.rounded(middleMs + spanMs * this.share()) + this.whole(1) : undefined;
    const isTurned = first !== undefined && second !== undefined && first > second;
    const given = {
      baseTime: this.pick(...BASES, ...(lengthMs < 6 * HOUR ? [] : FAR_BASES)),
      interval: PERIODS[which] ?? '1H',
      intervalInclude: this.pick('PARTIAL', 'COMPLETE'),
      timezone: isApia && this.share() < 0.5 ? 'Pacific/Apia' : this.pick(...ZONES),
      timezoneAdjustForDst: this.pick('TRUE', 'FALSE'),
      qualityExcluded: this.pick('NONE', 'NONE', 'BAD', 'BAD,UNCERTAIN', 'GOOD'),
    };
    const asked = {
      startMs: isTurned ? second : first,
      endMs: isTurned ? first : second,
      limit: shape.includes('limit') ? 1 + this.whole(20) : undefined,
      nowMs: this.rounded(middleMs + this.pick(-0.5, 0, 0.5, 2, 5) * spanMs),
    };
    return { given, asked };
  }

  /** Arguments of one column. */
  column({ valueType }: Config): Record<string, string> {
    const isText = valueType === TYPES.TEXT;
    const isState = !isText && this.share() < 0.2;
    const aggregate = this.pick(...OF_ANYTHING, ...(isText || isState ? [] : OF_NUMBERS));
    return { aggregate, percentile: this.pick(...PERCENTILES), renderType: isState ? 'STATE' : 'VALUE' };
  }

  plainOf(
    records: readonly Partial<StoredRecord>[],
    { multiplier, offset, equation }: Config,
    { renderType }: Record<string, string>,
  ): PlainRecord[] {
    const transform = EQUATIONS[equation] ?? ((x: number) => x * multiplier + offset);
    return records.map(({ timeMs = 0, number, text, quality }) => {
      const applied = number === undefined ? Number.NaN : transform(number);
      const shown = Number.isFinite(applied) ? applied : undefined;
      const value = text ?? (renderType === 'STATE' && shown !== undefined ? stateOf(shown) : shown);
      return { timeMs, value, quality, type: qualityTypeOf(quality) };
    });
  }
}

export function plainQuery(
  given: Record<string, string>,
  asked: Asked,
  records: readonly Pick<PlainRecord, 'timeMs'>[],
  isDirection: boolean,
): PlainQuery {
  const { startMs, endMs, limit, nowMs = 0 } = asked;
  const { periodic, zone, excluded, aggregate } = readOptions(given, nowMs);
  const atMs = startMs ?? endMs ?? nowMs;
  const [firstMs, lastMs] = [records[0]?.timeMs ?? atMs, records.at(-1)?.timeMs ?? atMs];
  return {
    aggregate,
    excluded: [...(excluded ?? [])],
    startMs,
    endMs,
    limit,
    nowMs,
    percentile: periodic?.percentile,
    isDirection,
    isComplete: given.intervalInclude === 'COMPLETE',
    base: plainBase(periodic?.base ?? { base: 'D', offsets: [] }, { atMs, zone: zone.name, firstMs, lastMs }),
    period: periodic?.period ?? { Y: 0, MO: 0, W: 0, D: 0, H: 1, M: 0, S: 0 },
  };
}

/** Times, presence, qualities and everything but sums and means have to be the same; those within 1e-12, directions within 1e-6. */
export function difference(got: readonly PlainResult[], expected: readonly PlainResult[]): string | undefined {
  if (got.length !== expected.length) return `${got.length} results instead of ${expected.length}`;
  for (const [n, want] of expected.entries()) {
    const have = got[n];
    const isSame =
      have?.timeMs === want.timeMs &&
      have.quality === want.quality &&
      (have.value === want.value ||
        (typeof have.value === 'number' && typeof want.value === 'number' && isNear(have.value, want.value, want)));
    if (!isSame) return `result ${n}: ${JSON.stringify(have)} instead of ${JSON.stringify(want)}`;
  }
  return undefined;
}

function isNear(have: number, value: number, { isDirection, scale = 0 }: PlainResult): boolean {
  if (!isDirection) return Math.abs(have - value) <= 1e-12 * Math.max(Math.abs(value), scale);
  const turn = Math.abs(have - value) % 360;
  return have >= 0 && have < 360 && Math.min(turn, 360 - turn) <= 1e-6;
}

/** Mulberry32. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
