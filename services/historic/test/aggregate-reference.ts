import { formatOffset, type OpcExpression, type OpcPeriod } from '@catchment/time';

/**
 * The aggregates in docs/reference/aggregates.md are said as plainly as can be: arrays in, arrays out, every rule a filter over all
 * records, calendars by Temporal. Nothing here is fast, and nothing is shared with the service.
 */
export type PlainRecord = {
  readonly timeMs: number;
  /** The value is transformed, or the name of a state; undefined means no value. */
  readonly value: number | string | undefined;
  readonly quality: number | undefined;
  readonly type: 'GOOD' | 'BAD' | 'UNCERTAIN';
};
export type PlainResult = {
  readonly timeMs: number;
  readonly value: number | string | undefined;
  readonly quality: number | undefined;
  /** The value is made of numbers up to this: it may be off by a trillionth of that. */
  readonly scale?: number;
  /** A direction is the same after a whole turn. */
  readonly isDirection?: boolean;
};
export type PlainQuery = {
  readonly aggregate: string;
  /** Only PERCENTILE has a percentile. */
  readonly percentile: number | undefined;
  /** INTERPOLATED turns degrees by the shorter way round. */
  readonly isDirection: boolean;
  readonly excluded: readonly string[];
  readonly startMs: number | undefined;
  readonly endMs: number | undefined;
  readonly limit: number | undefined;
  readonly nowMs: number;
  readonly isComplete: boolean;
  readonly base: PlainBase;
  readonly period: OpcPeriod;
};

export function plainAggregate(records: readonly PlainRecord[], query: PlainQuery): PlainResult[] {
  const raw = records.filter(({ value, type }) => value !== undefined && !query.excluded.includes(type));
  if (query.aggregate === 'CHANGE') return plainChanges(raw, query);
  if (query.aggregate === 'INTERPOLATED') return plainInterpolated(raw, query);
  return intervals(query).map(({ fromMs, toMs }) => {
    const span = {
      fromMs,
      toMs,
      firstMs: Math.max(fromMs, query.startMs ?? -Infinity),
      lastMs: Math.min(toMs, endOf(query)),
    };
    return { timeMs: fromMs, ...ofInterval(query, raw, span) };
  });
}

/** The query leaves the part from `firstMs` to `lastMs` of an interval. */
type PlainSpan = Record<'fromMs' | 'toMs' | 'firstMs' | 'lastMs', number>;

const endOf = ({ endMs, nowMs }: PlainQuery) => endMs ?? nowMs;
const isGood = ({ type }: PlainRecord) => type === 'GOOD';
const cut = <T>(list: T[], { startMs, limit }: PlainQuery): T[] =>
  limit === undefined ? list : startMs === undefined ? list.slice(-limit) : list.slice(0, limit);

/** A base has an instant, and the local time at which steps from it begin; the two differ where the zone skips that time. */
type PlainBase = {
  readonly instant: Temporal.Instant;
  readonly local: Temporal.PlainDateTime;
  /** Zone of the steps. */
  readonly zone: string;
};

const HOURS = { H: 'hours', M: 'minutes', S: 'seconds' } as const;
const DAYS = { Y: 'years', MO: 'months', W: 'weeks', D: 'days' } as const;
const instantOf = (local: Temporal.PlainDateTime, zone: string) =>
  local.toZonedDateTime(zone, { disambiguation: 'compatible' }).toInstant();

/** Rule 1 of the intervals: a base at an instant. */
export function plainBase(
  { base, zoneOffsetMs, offsets }: OpcExpression,
  { atMs, zone: given, firstMs, lastMs }: { atMs: number; zone: string; firstMs: number; lastMs: number },
): PlainBase {
  const zone = zoneOffsetMs === undefined ? given : formatOffset(zoneOffsetMs);
  const atBase = Temporal.Instant.fromEpochMilliseconds(base === 'FIRST' ? firstMs : base === 'LAST' ? lastMs : atMs);
  const now = atBase.toZonedDateTimeISO(zone);
  const midnight = now.toPlainDateTime().round({ smallestUnit: 'day', roundingMode: 'floor' });
  const local = {
    D: midnight,
    W: midnight.subtract({ days: now.dayOfWeek - 1 }),
    MO: midnight.with({ day: 1 }),
    Y: midnight.with({ month: 1, day: 1 }),
  }[base as string];
  let isOnClock = local !== undefined;
  let time = local ?? now.toPlainDateTime();
  let instant = base === 'H' ? now.round({ smallestUnit: 'hour', roundingMode: 'floor' }).toInstant() : atBase;
  if (local) instant = instantOf(local, zone);
  else time = instant.toZonedDateTimeISO(zone).toPlainDateTime();
  for (const { amount, unit } of offsets) {
    isOnClock ||= unit in DAYS;
    const by = { [{ ...DAYS, ...HOURS }[unit]]: amount };
    if (isOnClock) time = time.add(by);
    instant = isOnClock ? instantOf(time, zone) : instant.add(by);
    if (!isOnClock) time = instant.toZonedDateTimeISO(zone).toPlainDateTime();
  }
  return { instant, local: time, zone };
}

/** Computes g(k), `base + k × interval` in one step. */
function gridTime({ base: { instant: at, local, zone }, period }: PlainQuery, k: number): number {
  const { Y, MO, W, D, H, M, S } = period;
  const isMoved = k !== 0 && Y + MO + W + D > 0;
  const moved = { years: Y * k, months: MO * k, weeks: W * k, days: D * k };
  const instant = isMoved ? instantOf(local.add(moved), zone) : at;
  return instant.epochMilliseconds + k * (H * 3_600_000 + M * 60_000 + S * 1_000);
}

/** Returns all grid times that can matter, ascending and distinct, with some to spare on both sides. */
function grid(query: PlainQuery): number[] {
  const times = new Set<number>([query.base.instant.epochMilliseconds]);
  const end = endOf(query);
  const enough = (query.limit ?? 0) + 4;
  let below = 0;
  for (let [k, more] = [-1, 2]; more > 0; k -= 1) {
    const time = gridTime(query, k);
    times.add(time);
    if (time < Math.min(end, query.nowMs)) below += 1;
    if (query.startMs === undefined ? below >= enough : time < query.startMs) more -= 1;
  }
  for (let [k, more] = [1, 3]; more > 0; k += 1) {
    const time = gridTime(query, k);
    times.add(time);
    if (time > end) more -= 1;
  }
  return [...times].sort((a, b) => a - b);
}

function intervals(query: PlainQuery): { fromMs: number; toMs: number }[] {
  const { startMs = -Infinity, nowMs, isComplete } = query;
  const endMs = endOf(query);
  const times = grid(query);
  const all = times.slice(0, -1).map((fromMs, n) => ({ fromMs, toMs: times[n + 1] ?? Number.NaN }));
  const used = all
    .filter(({ fromMs, toMs }) => startMs < endMs && fromMs < endMs && toMs > startMs)
    .filter(({ fromMs }) => fromMs <= nowMs)
    .filter(({ fromMs, toMs }) => !isComplete || (fromMs >= startMs && toMs <= endMs && toMs <= nowMs));
  return cut(used, query);
}

function ofInterval(query: PlainQuery, all: readonly PlainRecord[], span: PlainSpan): Omit<PlainResult, 'timeMs'> {
  const { aggregate } = query;
  const raw = all.filter(({ timeMs }) => timeMs >= span.firstMs && timeMs < span.lastMs);
  if (aggregate === 'START' || aggregate === 'END') {
    const edge = aggregate === 'START' ? raw[0] : raw.at(-1);
    return edge ? { value: edge.value, quality: isGood(edge) ? undefined : 149 } : { value: undefined, quality: 165 };
  }
  const good = raw.filter(isGood);
  const special = raw.length === 0 ? 165 : good.length === 0 ? 155 : undefined;
  const leftOut = good.length < raw.length ? 149 : undefined;
  if (aggregate === 'COUNT') return { value: good.length, quality: special ?? leftOut };
  if (special !== undefined) return { value: undefined, quality: special };
  const values = good.map(({ value }) => Number(value));
  const neighbours = all.filter(isGood);
  if (aggregate === 'TIME_WEIGHTED_MEAN') return { ...timeWeighted(neighbours, span), quality: leftOut };
  if (aggregate.startsWith('COUNTER_')) {
    const seconds = aggregate === 'COUNTER_RATE' ? (span.toMs - span.fromMs) / 1000 : 1;
    const { value, scale } = increase(neighbours, good);
    return { value: value / seconds, scale: scale / seconds, quality: leftOut };
  }
  if (aggregate !== 'DELTA') return { ...ofValues(query, values), quality: leftOut };
  const [first, last] = [raw[0], raw.at(-1)];
  return {
    value: (values.at(-1) ?? Number.NaN) - (values[0] ?? Number.NaN),
    quality: first && last && isGood(first) && isGood(last) ? undefined : 149,
  };
}

/** Every double is a whole multiple of 2^-1074: sums are exact, but for the last step. */
function total(values: readonly number[]): number {
  const sum = values.reduce((all, value) => all + multiples(value), 0n);
  const digits = sum.toString(2).length - (sum < 0n ? 1 : 0);
  const cut = Math.max(0, digits - 64);
  const exponent = cut - 1074;
  const half = Math.trunc(exponent / 2);
  return Number(sum >> BigInt(cut)) * 2 ** half * 2 ** (exponent - half);
}

function multiples(value: number): bigint {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const exponent = (bits >> 52n) & 0x7ffn;
  const mantissa = (bits & 0xfffffffffffffn) | (exponent > 0n ? 1n << 52n : 0n);
  const size = mantissa << (exponent > 0n ? exponent - 1n : 0n);
  return bits >> 63n ? -size : size;
}

/** Returns the sum of the rises to the good values of an interval, each from the good value before it; a fall is a reset. */
function increase(all: readonly PlainRecord[], good: readonly PlainRecord[]) {
  const pairs = good.map((sample) => [all[all.indexOf(sample) - 1]?.value ?? sample.value, sample.value].map(Number));
  const rises = pairs.map(([before = 0, value = 0]) => (value < before ? value : value - before));
  return { value: total(rises), scale: largest(pairs.flat()) };
}

const largest = (values: readonly number[]) => values.reduce((max, value) => Math.max(max, Math.abs(value)), 0);

/** Returns the mean of the line through good values. The line crosses ends of the interval that are not ends of the read. */
function timeWeighted(all: readonly PlainRecord[], { fromMs, toMs, firstMs, lastMs }: PlainSpan) {
  const inside = all.filter(({ timeMs }) => timeMs >= firstMs && timeMs < lastMs);
  const before = firstMs === fromMs ? all.findLast(({ timeMs }) => timeMs < firstMs) : undefined;
  const after = lastMs === toMs ? all.find(({ timeMs }) => timeMs >= lastMs) : undefined;
  const points = [before, ...inside, after].filter((point) => point !== undefined);
  const pieces = points.flatMap((to, n) => {
    const from = points[n - 1];
    if (!from || to.timeMs - from.timeMs > toMs - fromMs) return [];
    const [begin, end] = [Math.max(from.timeMs, firstMs), Math.min(to.timeMs, lastMs)];
    const at = (timeMs: number) => {
      const share = (timeMs - from.timeMs) / (to.timeMs - from.timeMs);
      return Number(from.value) * (1 - share) + Number(to.value) * share;
    };
    return [{ mean: at(begin) / 2 + at(end) / 2, lengthMs: end - begin }];
  });
  const covered = total(pieces.map(({ lengthMs }) => lengthMs));
  // Shares, not areas: the values may be as large as numbers are.
  const mean = total(pieces.map(({ mean: of, lengthMs }) => of * (lengthMs / covered)));
  return { value: covered > 0 ? mean : undefined, scale: largest(points.map(({ value }) => Number(value))) };
}

/** Returns the mean of unit vectors as cosine and sine. */
function meanVector(values: readonly number[]): [number, number] {
  const radians = values.map((value) => ((value % 360) * Math.PI) / 180);
  return [total(radians.map(Math.cos)) / values.length, total(radians.map(Math.sin)) / values.length];
}

function ofValues({ aggregate, percentile = 0 }: PlainQuery, values: readonly number[]) {
  if (aggregate === 'CIRCULAR_MEAN') {
    const [cos, sin] = meanVector(values);
    const degrees = (Math.atan2(sin, cos) * 180) / Math.PI;
    return { value: Math.hypot(cos, sin) < 1e-9 ? undefined : degrees, isDirection: true };
  }
  if (aggregate === 'STDDEV') {
    const mean = total(values) / values.length;
    const variance = total(values.map((value) => (value - mean) ** 2)) / (values.length - 1);
    return { value: values.length < 2 ? undefined : Math.sqrt(variance), scale: largest(values) };
  }
  const sorted = [...values].sort((a, b) => a - b);
  const [min = Number.NaN, max = Number.NaN] = [sorted[0], sorted.at(-1)];
  const middle = [sorted[Math.floor((sorted.length - 1) / 2)] ?? 0, sorted[Math.ceil((sorted.length - 1) / 2)] ?? 0];
  const rank = ((sorted.length - 1) * percentile) / 100;
  const [lower = 0, upper = 0] = [sorted[Math.floor(rank)], sorted[Math.ceil(rank)]];
  const share = rank - Math.floor(rank);
  if (aggregate === 'PERCENTILE') return { value: lower * (1 - share) + upper * share, scale: largest(values) };
  const results: Readonly<Record<string, number>> = {
    TOTAL: total(values),
    AVERAGE: total(values) / values.length,
    MEDIAN: total(middle) / 2,
    MIN: min,
    MAX: max,
    RANGE: max - min,
  };
  return { value: results[aggregate] ?? Number.NaN };
}

function plainInterpolated(raw: readonly PlainRecord[], query: PlainQuery): PlainResult[] {
  const times = grid(query);
  const [fromMs, toMs] = [query.startMs ?? -Infinity, Math.min(endOf(query), query.nowMs)];
  const good = raw.filter(isGood);
  // The lowest grid time has no window of its own here.
  const points = times.slice(1, -1).filter((time) => time >= fromMs && time <= toMs);
  return cut(points, query).map((at) => {
    const n = times.indexOf(at);
    const [low, high] = [times[n - 1] ?? Number.NaN, times[n + 1] ?? Number.NaN];
    const exact = good.find(({ timeMs }) => timeMs === at);
    if (exact) return { timeMs: at, value: exact.value, quality: undefined };
    const before = good.findLast(({ timeMs }) => timeMs >= low && timeMs < at);
    const after = good.find(({ timeMs }) => timeMs > at && timeMs <= high);
    if (!before || !after) return { timeMs: at, value: undefined, quality: 155 };
    const skipped = raw.some(
      (sample) => !isGood(sample) && sample.timeMs > before.timeMs && sample.timeMs < after.timeMs,
    );
    const [a, b] = [Number(before.value), Number(after.value)];
    const share = (at - before.timeMs) / (after.timeMs - before.timeMs);
    const quality = skipped ? 149 : undefined;
    if (!query.isDirection) return { timeMs: at, value: a + (b - a) * share, quality, scale: largest([a, b]) };
    // The turn is more than -180 and at most 180.
    const turn = 180 - (((a % 360) - (b % 360) + 900) % 360);
    return { timeMs: at, value: (a % 360) + turn * share, quality, isDirection: true };
  });
}

function plainChanges(raw: readonly PlainRecord[], query: PlainQuery): PlainResult[] {
  const inRange = raw.filter(
    ({ timeMs }) => timeMs >= (query.startMs ?? -Infinity) && timeMs <= (query.endMs ?? Infinity),
  );
  const changed = inRange.filter(({ value }, n) => n === 0 || value !== inRange[n - 1]?.value);
  return cut(
    changed.map(({ timeMs, value, quality }) => ({ timeMs, value, quality })),
    query,
  );
}
