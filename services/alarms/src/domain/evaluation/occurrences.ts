import type { QualityTable } from '@catchment/quality';
import type { Occurrence } from '../alarm-types.ts';
import type { ColumnOutcome, GradedRecord } from '../apply-column.ts';
import type { Node } from '../node.ts';
import { type SeriesRules, stateOf } from '../series.ts';

/** Returns the steps that a column reports, in order, and last the record that was judged without a step. */
export function* stateOccurrences(
  rules: SeriesRules,
  { steps, stay, series }: ColumnOutcome,
  modifiedMs: number,
): Generator<Occurrence, void> {
  for (const step of steps) yield { kind: 'step', rules, step, timeMs: step.timeMs };
  if (!stay) return;
  const to = stateOf(rules, series.stateId);
  const record = { ...stay, code: stay.code };
  const timeMs = stay.timeMs || modifiedMs;
  yield { kind: 'judged', because: 'record', rules, from: undefined, to, record, timeMs };
}

/** Returns what the quality of each of these records means to the quality alarm of its series. */
export function* qualityOccurrences(
  node: Node,
  records: readonly GradedRecord[],
  table: QualityTable,
  timeMs: number,
): Generator<Occurrence, void> {
  const listed: readonly string[] = node.alarms.get('qualityAlarm')?.qualityTypes ?? [];
  for (const record of records) {
    const code = table.shown(record.code);
    const type = table.typeOf(code);
    yield {
      kind: 'graded',
      timeMs,
      type,
      code,
      name: table.nameOf(code),
      isListed: !record.isLast && listed.includes(type),
      because: record.isCorrected ? 'corrected' : undefined,
    };
  }
}
