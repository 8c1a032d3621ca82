import { MAX_OCCURRENCES } from '@catchment/states';
import { type CodeRecord, editedRecords, historyOf, newestMs, type ValueEdits } from './history.ts';
import { evaluateRecord, matcher, type Series, type SeriesRules, type StateStep } from './series.ts';

export type ColumnOutcome = {
  readonly series: Series;
  /** State changes that the write asks to be told, in order. */
  readonly steps: readonly StateStep[];
  /** Records whose quality the write asks to be judged, in order. */
  readonly graded: readonly CodeRecord[];
};

/** See docs/reference/writing.md#notifyon. */
export type NotifyRule = 'LATEST_ONLY' | 'ALL_NEWER' | 'NONE';

/**
 * Applies one column to a series: only records newer than the newest that had a value before are evaluated, all of them or
 * the latest as `notify` says; with NONE the state follows silently.
 * @param rules undefined: the series has no states
 */
export function applyColumn(
  rules: SeriesRules | undefined,
  series: Series,
  edits: ValueEdits,
  notify: NotifyRule,
): ColumnOutcome {
  const { history } = series;
  const currentMs = newestMs(history);
  const graded = asked(
    edits.codes.filter(({ timeMs }) => timeMs > currentMs),
    notify,
  );
  const records = editedRecords(history, edits);
  if (records === history.records) return { series, steps: [], graded };
  const after = historyOf(records, history.knownSinceMs);
  const firstNewer = records.findIndex((record) => record.timeMs > currentMs);
  if (!rules || firstNewer < 0) return { series: { ...series, history: after }, steps: [], graded };
  let { stateId } = series;
  const steps: StateStep[] = [];
  const match = matcher(rules);
  let codes: ReadonlyMap<number, number | undefined> | undefined;
  const first = notify === 'ALL_NEWER' ? firstNewer : records.length - 1;
  for (const [n, record] of records.slice(first).entries()) {
    const end = first + n + 1;
    const window = records.slice(Math.max(0, end - MAX_OCCURRENCES), end);
    const { from, to } = evaluateRecord(rules, stateId, window, match);
    stateId = to?.stateId ?? '';
    if (notify === 'NONE' || from === to) continue;
    // Most writes change no state.
    codes ??= new Map(edits.codes.map(({ timeMs, code }) => [timeMs, code]));
    const { timeMs } = record;
    steps.push({ from, to, timeMs, record: { ...record, code: codes.get(timeMs) } });
  }
  return { series: { stateId, history: after }, steps, graded };
}

const asked = (records: readonly CodeRecord[], notify: NotifyRule): readonly CodeRecord[] =>
  notify === 'NONE' ? [] : notify === 'ALL_NEWER' ? records : records.slice(-1);
