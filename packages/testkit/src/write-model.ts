import { WriteMode } from '@catchment/contracts/ingest';
import { ValueType } from '@catchment/contracts/nodes';
import { type Column, FLAG } from '@catchment/ingest-log';
import { seedOf } from './amount.ts';
import { column } from './columns.ts';

/** A record of a write: absent = not sent, null = cleared; the whole null = delete marker. */
export type Update = { v?: number | string | null; q?: number | null; a?: string | null } | null;
export type Updates = ReadonlyMap<number, Update>;
export type ModelRecord = { v?: number | string; q?: number; a?: string };
/** The model is a series as plain as can be: time → record. */
export type Model = Map<number, ModelRecord>;
export type ModeName =
  | 'MERGE_OVERWRITE_EXISTING'
  | 'MERGE_PRESERVE_EXISTING'
  | 'MERGE_UPDATE_EXISTING'
  | 'MERGE_FAIL_ON_EXISTING'
  | 'INSERT_DELETE_EXISTING'
  | 'INSERT_FAIL_ON_EXISTING'
  | 'DELETE_RANGE'
  | 'DELETE'
  | 'DISCARD';
export const MODES: readonly ModeName[] = [
  'MERGE_OVERWRITE_EXISTING',
  'MERGE_PRESERVE_EXISTING',
  'MERGE_UPDATE_EXISTING',
  'MERGE_FAIL_ON_EXISTING',
  'INSERT_DELETE_EXISTING',
  'INSERT_FAIL_ON_EXISTING',
  'DELETE_RANGE',
  'DELETE',
  'DISCARD',
];

/** Applies the table in docs/reference/writing.md#write-modes to a map, row by row. @returns the text of a failure, or undefined */
export function applyToModel(model: Model, mode: ModeName, updates: Updates): string | undefined {
  const times = [...updates.keys()];
  const inRange = [...model.keys()].filter((time) => time >= Math.min(...times) && time <= Math.max(...times));
  if (mode === 'MERGE_FAIL_ON_EXISTING' && times.some((time) => model.has(time)))
    return 'Merge failed: existing records';
  if (mode === 'INSERT_FAIL_ON_EXISTING' && inRange.length > 0) return 'Insert failed: existing records';
  if (mode === 'INSERT_DELETE_EXISTING' || mode === 'DELETE_RANGE') for (const time of inRange) model.delete(time);
  if (mode === 'DELETE_RANGE' || mode === 'DISCARD') return undefined;
  for (const [time, update] of updates) {
    const before = model.get(time);
    if (mode === 'DELETE') model.delete(time);
    else if (mode === 'MERGE_PRESERVE_EXISTING' && before) continue;
    else if (update === null) model.delete(time);
    else put(model, time, mode === 'MERGE_UPDATE_EXISTING' ? { ...before, ...update } : update);
  }
  return undefined;
}

function put(model: Model, time: number, { v, q, a }: NonNullable<Update>): void {
  const record: ModelRecord = {};
  if (v !== undefined && v !== null) record.v = v;
  if (q !== undefined && q !== null) record.q = q;
  if (a !== undefined && a !== null) record.a = a;
  if (Object.keys(record).length > 0) model.set(time, record);
  else model.delete(time);
}

export const sorted = (model: Model): [number, ModelRecord][] => [...model].sort(([a], [b]) => a - b);

/** Returns the same write as a column of the log. */
export function columnOf(mode: ModeName, updates: Updates, change: Partial<Column> = {}): Column {
  const records = [...updates].sort(([a], [b]) => a - b);
  const isText = change.valueType === ValueType.VALUE_TYPE_TEXT;
  const annotations = new Map<number, string>();
  for (const [n, [, update]] of records.entries()) if (update?.a) annotations.set(n, update.a);
  return column(
    records.map(([time]) => time),
    {
      writeMode: WriteMode[`WRITE_MODE_${mode}`],
      flags: Uint8Array.from(records, ([, update]) => flagsOf(update)),
      numbers: isText
        ? new Float64Array(0)
        : Float64Array.from(records, ([, update]) => Number(update?.v ?? Number.NaN)),
      texts: isText ? records.map(([, update]) => String(update?.v ?? '')) : [],
      qualities: Uint16Array.from(records, ([, update]) => update?.q ?? 0),
      annotations,
      ...change,
    },
  );
}

function flagsOf(update: Update): number {
  if (update === null) return FLAG.deleteMarker;
  const flag = (value: unknown, present: number, cleared: number) =>
    value === undefined ? 0 : value === null ? cleared : present;
  return (
    flag(update.v, FLAG.value, FLAG.valueNull) |
    flag(update.q, FLAG.quality, FLAG.qualityNull) |
    flag(update.a, FLAG.annotation, FLAG.annotationNull)
  );
}

/** Set WRITE_MODES_SEED to repeat a run whose seed a title shows. */
export const SEED = seedOf('WRITE_MODES_SEED');

/** Makes numbers from 0 to below 1, the same for the same seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Picks a mode and up to 6 records at some of the times 0, `stepMs` … `7 * stepMs`. */
export function randomWrite(
  random: () => number,
  stepMs: number,
  isText = false,
): { mode: ModeName; updates: Updates } {
  const pick = <T>(choices: readonly T[]): T => choices[Math.floor(random() * choices.length)] as T;
  const counter = () => Math.floor(random() * 1_000);
  const part = <T>(value: T): { value?: T | null } => {
    const dice = random();
    return dice < 0.5 ? { value } : dice < 0.65 ? { value: null } : {};
  };
  const update = (): Update => {
    if (random() < 0.15) return null;
    const [v, q, a] = [part(isText ? `t${counter()}` : counter()), part(counter()), part(`a${counter()}`)];
    const sent: NonNullable<Update> = {};
    if (v.value !== undefined) sent.v = v.value;
    if (q.value !== undefined) sent.q = q.value;
    if (a.value !== undefined) sent.a = a.value;
    return Object.keys(sent).length > 0 ? sent : { v: isText ? 'alone' : 7 };
  };
  const times = Array.from({ length: 8 }, (_, n) => n * stepMs).filter(() => random() < 0.35);
  if (times.length === 0) times.push(3 * stepMs);
  return { mode: pick(MODES), updates: new Map(times.map((time) => [time, update()])) };
}

export type NotifyName = 'LATEST_ONLY' | 'ALL_NEWER' | 'NONE';
export const NOTIFY_NAMES: readonly NotifyName[] = ['LATEST_ONLY', 'ALL_NEWER', 'NONE'];

type ModelState = 'NORMAL' | 'HIGH';

/**
 * Models a series with the states NORMAL and HIGH as plainly as can be (docs/reference/states.md#evaluation): HIGH from `threshold` on,
 * after `occurrences` records in a row. The record that was current before a write is judged anew where the write changes it.
 */
export class StateModel {
  readonly records: Model = new Map();
  readonly #rule: { readonly threshold: number; readonly occurrences: number };
  /** States of the records that were evaluated, by time. */
  readonly #states = new Map<number, ModelState>();
  state: ModelState = 'NORMAL';
  /** Each is `<time> <from> to <to>`, in the order of the events. */
  readonly reported: string[] = [];

  constructor(rule: { threshold: number; occurrences: number }) {
    this.#rule = rule;
  }

  /** @returns the text of a failure */
  write(mode: ModeName, updates: Updates, notify: NotifyName): string | undefined {
    const currentMs = this.#values().at(-1)?.[0] ?? Number.NEGATIVE_INFINITY;
    const before = new Map(this.records);
    const failure = applyToModel(this.records, mode, updates);
    const isChanged = (time: number) =>
      this.records.get(time) !== before.get(time) &&
      (this.records.get(time)?.v === undefined ||
        mode !== 'MERGE_UPDATE_EXISTING' ||
        updates.get(time)?.v !== undefined);
    for (const time of this.#states.keys()) if (isChanged(time)) this.#states.delete(time);
    const newer = this.#values().flatMap(([time]) => (time > currentMs ? [time] : []));
    let reported = this.state;
    const report = (time: number, why = '') => {
      if (this.state !== reported) this.reported.push(`${time} ${reported} to ${this.state}${why}`);
      reported = this.state;
    };
    if (before.get(currentMs) && isChanged(currentMs)) {
      const last = this.#values().findLast(([time]) => time <= currentMs)?.[0];
      this.state = last === undefined ? 'NORMAL' : this.#evaluate(last, this.#heldBefore(last));
      const isReported = notify === 'ALL_NEWER' || (notify === 'LATEST_ONLY' && newer.length === 0);
      if (isReported) report(last ?? currentMs, ' (corrected)');
    }
    for (const time of notify === 'ALL_NEWER' ? newer : newer.slice(-1)) {
      this.state = this.#evaluate(time, this.state);
      if (notify !== 'NONE') report(time);
    }
    return failure;
  }

  deleteAll(): void {
    this.records.clear();
    this.#states.clear();
    this.state = 'NORMAL';
  }

  /** Returns the state of the last evaluated record before `time`; where none was, all of them are evaluated. */
  #heldBefore(time: number): ModelState {
    const earlier = this.#values().flatMap(([at]) => (at < time ? [at] : []));
    const known = earlier.findLast((at) => this.#states.has(at));
    if (known !== undefined) return this.#states.get(known) ?? 'NORMAL';
    return earlier.reduce((held, at) => this.#stateAt(at, held), 'NORMAL' as ModelState);
  }

  #evaluate(time: number, held: ModelState): ModelState {
    const state = this.#stateAt(time, held);
    this.#states.set(time, state);
    return state;
  }

  #stateAt(time: number, held: ModelState): ModelState {
    const { threshold, occurrences } = this.#rule;
    const last = this.#values()
      .filter(([at]) => at <= time)
      .slice(-occurrences)
      .map(([, value]) => value);
    const isHigh = (last.at(-1) ?? 0) >= threshold;
    const isLong = last.length === occurrences && last.every((value) => value >= threshold);
    return isHigh && (held === 'HIGH' || isLong) ? 'HIGH' : 'NORMAL';
  }

  #values(): [number, number][] {
    return sorted(this.records).flatMap(([time, { v }]) => (typeof v === 'number' ? [[time, v]] : []));
  }
}
