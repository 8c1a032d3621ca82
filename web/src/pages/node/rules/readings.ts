import { matchNumber, nextState } from '@catchment/states/evaluation';
import type { Window } from '../../../charts/chart-window.ts';
import { type Row, readBefore, readInside } from '../../../data/records/records.ts';
import type { Reading, Rule } from './visits.ts';

/** At most this many records are counted: two weeks of every minute. */
export const MOST_READINGS = 20_000;
/** This many records before the time show the state that it begins with. */
const WARM_UP = 100;

/** A change of one is counted as it is typed: a text that matches must not wait for its library. */
const NUMBERS: Rule = {
  next: nextState,
  match: (config, value) => (typeof value === 'number' ? matchNumber(config, value) : undefined),
};

export type Readings = {
  readonly readings: readonly Reading[];
  /** Records in the time itself. */
  readonly count: number;
  /** The records are there from this time on, where there were too many. */
  readonly cutAt?: number;
  readonly rule: Rule;
};

/** Reads records of a time and some before it; texts come with the rule that reads expressions. */
export async function readReadings(
  nodeId: string,
  window: Window,
  isText: boolean,
  signal: AbortSignal,
): Promise<Readings> {
  const rule = isText ? textRule() : NUMBERS;
  const [inside, before] = await Promise.all([
    readInside(nodeId, window, MOST_READINGS + 1, signal),
    readBefore(nodeId, Math.floor(window.start) - 1, WARM_UP, signal),
  ]);
  if (inside.length <= MOST_READINGS)
    return { readings: [...before, ...inside].flatMap(readingOf), count: inside.length, rule: await rule };
  const newest = await readBefore(nodeId, Math.ceil(window.end), MOST_READINGS, signal);
  const cut = newest[0];
  return {
    readings: newest.flatMap(readingOf),
    count: newest.length,
    ...(cut && { cutAt: cut.ms }),
    rule: await rule,
  };
}

async function textRule(): Promise<Rule> {
  const { matchState } = await import('@catchment/states/match');
  return { next: nextState, match: matchState };
}

/** docs/reference/states.md#matching: records without a value are passed over everywhere. */
const readingOf = ({ ms, value }: Row): readonly Reading[] =>
  (typeof value === 'number' && Number.isFinite(value)) || typeof value === 'string' ? [{ ms, value }] : [];
