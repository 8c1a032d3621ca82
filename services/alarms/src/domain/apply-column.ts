import { MAX_OCCURRENCES } from '@catchment/states';
import { editedRecords, historyOf, newestMs, type ValueEdits } from './history.ts';
import { evaluateRecord, type Series, type SeriesRules, type StateStep } from './series.ts';

export type ColumnOutcome = {
  readonly series: Series;
  /** State changes that the write asks to be told, in order. */
  readonly steps: readonly StateStep[];
};

/** See docs/reference/writing.md#notifyon. */
export type NotifyRule = 'LATEST_ONLY' | 'ALL_NEWER' | 'NONE';

/**
 * Applies one column to a series: only records newer than the newest that had a value before are evaluated, all of them or
 * the latest as `notify` says; with NONE the state follows silently.
 */
export function applyColumn(rules: SeriesRules, series: Series, edits: ValueEdits, notify: NotifyRule): ColumnOutcome {
  const { history } = series;
  const records = editedRecords(history, edits);
  if (records === history.records) return { series, steps: [] };
  const currentMs = newestMs(history);
  const firstNewer = records.findIndex((record) => record.timeMs > currentMs);
  let { stateId } = series;
  const steps: StateStep[] = [];
  if (firstNewer >= 0) {
    for (let at = notify === 'ALL_NEWER' ? firstNewer : records.length - 1; at < records.length; at += 1) {
      const step = evaluateRecord(rules, stateId, records.slice(Math.max(0, at + 1 - MAX_OCCURRENCES), at + 1));
      stateId = step.to?.stateId ?? '';
      if (notify !== 'NONE' && step.from !== step.to) steps.push(step);
    }
  }
  return { series: { stateId, history: historyOf(records, history.knownSinceMs) }, steps };
}
