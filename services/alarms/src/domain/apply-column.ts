import {
  type CodeRecord,
  changesNewest,
  editedRecords,
  historyOf,
  type KeptRecord,
  newestMs,
  type ValueEdits,
  writtenCode,
} from './history.ts';
import { heldBefore, matcher, type Series, type SeriesRules, type StateStep, stateAt, stateOf } from './series.ts';

export type ColumnOutcome = {
  readonly series: Series;
  /** State changes that the write asks to report, in order. */
  readonly steps: readonly StateStep[];
  /** The newest record that was judged and changed no state, where the write asks for it: what the alarm says has to agree. */
  readonly stay?: KeptRecord | undefined;
  /** Records whose quality the write asks to be judged, in order. */
  readonly graded: readonly GradedRecord[];
};

export type GradedRecord = CodeRecord & {
  /** The record was there before, or is the current one because another is gone. */
  readonly isCorrected?: boolean;
  /** The record was deleted, and there is no other. */
  readonly isLast?: boolean;
};

/** See docs/reference/writing.md#notifyon. */
export type NotifyRule = 'LATEST_ONLY' | 'ALL_NEWER' | 'NONE';

/**
 * Applies one column to a series, in steps: records newer than the newest that had a value before are evaluated, all of them or the latest
 * as `notify` says; so is the newest one before, where the column changes it or takes it away. With NONE the state follows silently.
 * @param rules undefined: the series has no states
 */
export function* applyColumn(
  rules: SeriesRules | undefined,
  series: Series,
  edits: ValueEdits,
  notify: NotifyRule,
): Generator<void, ColumnOutcome> {
  const { history } = series;
  const records = editedRecords(history, edits);
  const graded = gradedRecords(series, records, edits, notify);
  if (records === history.records) return { series, steps: [], graded };
  const isCorrected = changesNewest(history, edits);
  const currentMs = newestMs(history);
  const newer = records.findIndex((record) => record.timeMs > currentMs);
  const firstNewer = newer < 0 ? records.length : newer;
  if (!rules || (!isCorrected && firstNewer === records.length)) {
    return { series: { ...series, history: historyOf(records, history.knownSinceMs) }, steps: [], graded };
  }
  const after = new Evaluation(rules, { records, knownSinceMs: history.knownSinceMs }, series.stateId);
  const isLatestOnly = notify !== 'ALL_NEWER';
  if (isCorrected) after.correct(firstNewer - 1, currentMs, !isLatestOnly || firstNewer === records.length);
  const first = isLatestOnly ? Math.max(firstNewer, records.length - 1) : firstNewer;
  for (let index = first; index < records.length; index += 1) {
    after.evaluate(index);
    yield;
  }
  const isReported = notify !== 'NONE';
  return {
    series: after.series,
    steps: isReported ? after.steps : [],
    stay: isReported ? after.stay : undefined,
    graded,
  };
}

/** Evaluates the states of records that a column brings or changes. */
class Evaluation {
  readonly steps: StateStep[] = [];
  stay: KeptRecord | undefined;
  readonly #rules: SeriesRules;
  readonly #match: ReturnType<typeof matcher>;
  readonly #records: KeptRecord[];
  readonly #knownSinceMs: number;
  /** The state after what was evaluated, which may differ from the state reported last. */
  #held: string | null;
  #reported: string | null;

  constructor(
    rules: SeriesRules,
    history: { records: readonly KeptRecord[]; knownSinceMs: number },
    stateId: string | null,
  ) {
    this.#rules = rules;
    this.#match = matcher(rules);
    this.#records = [...history.records];
    this.#knownSinceMs = history.knownSinceMs;
    this.#held = stateId;
    this.#reported = stateId;
  }

  /**
   * The newest record of those that were there was changed or is gone.
   * @param index of the one that is the newest of them now; below 0: none is left
   * @param goneMs the time of the one that was
   */
  correct(index: number, goneMs: number, isReported: boolean): void {
    const history = { records: this.#records, knownSinceMs: this.#knownSinceMs };
    if (index >= 0) {
      this.#held = heldBefore(this.#rules, history, index, this.#match);
      this.evaluate(index, true, isReported);
      return;
    }
    this.#held = null;
    if (isReported) this.#report({ timeMs: goneMs, record: undefined, isCorrected: true });
  }

  evaluate(index: number, isCorrected = false, isReported = true): void {
    const record = this.#records[index];
    if (!record) return;
    this.#held = stateAt(this.#rules, this.#records, index, this.#held, this.#match);
    this.#records[index] = { ...record, stateId: this.#held };
    if (!isReported) return;
    const { timeMs, value, code } = record;
    this.#report({ timeMs, record: { timeMs, value, code }, ...(isCorrected && { isCorrected }) });
  }

  get series(): Series {
    return { stateId: this.#held, history: historyOf(this.#records, this.#knownSinceMs) };
  }

  #report(about: Omit<StateStep, 'from' | 'to'>): void {
    const [from, to] = [stateOf(this.#rules, this.#reported), stateOf(this.#rules, this.#held)];
    this.#reported = this.#held;
    this.stay = from === to ? about.record : undefined;
    if (from !== to) this.steps.push({ from, to, ...about });
  }
}

/** Returns new records, the current one where its quality was written, and the one that is current after it was deleted. */
function gradedRecords(
  { history }: Series,
  records: readonly KeptRecord[],
  edits: ValueEdits,
  notify: NotifyRule,
): readonly GradedRecord[] {
  if (notify === 'NONE') return [];
  const currentMs = newestMs(history);
  const kept = history.records.at(-1);
  const written = edits.codes
    .filter(({ timeMs, isTakenAway }) => (timeMs > currentMs ? !isTakenAway : timeMs === currentMs))
    .map((code): GradedRecord => {
      if (code.timeMs > currentMs) return { timeMs: code.timeMs, code: code.code };
      return { timeMs: code.timeMs, code: writtenCode(code, kept), isCorrected: true };
    });
  if (written.length > 0) return notify === 'ALL_NEWER' ? written : written.slice(-1);
  if (!kept || !edits.removes(currentMs)) return [];
  const newest = records.at(-1);
  if (!newest) return [{ timeMs: currentMs, code: undefined, isCorrected: true, isLast: true }];
  return [{ timeMs: newest.timeMs, code: newest.code, isCorrected: true }];
}
