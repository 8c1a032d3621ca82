import { ValueType } from '@catchment/contracts/nodes';
import {
  bitsOf,
  type Column,
  type ColumnEffect,
  effectOf,
  FLAG,
  flagsAt,
  leavesNothing,
  leavesNoValue,
  needsVerdict,
  rangeOf,
} from '@catchment/ingest-log';
import {
  applyToModel,
  columnOf,
  type Model,
  type ModelRecord,
  randomFrom,
  randomWrite,
  SEED,
  sorted,
} from '@catchment/testkit/write-model';
import { type Existing, planWrite, questionOf, UNASKED } from './plan-write.ts';

const WRITES = 5_000;

/** Answers what the store would say of the records of a model. */
function existingIn(model: Model, column: Column): Existing {
  const { fromMs, toMs } = rangeOf(column);
  const inRange = [...model.keys()].filter((time) => time >= fromMs && time <= toMs).sort((a, b) => a - b);
  const partsOf = ({ v, q, a }: ModelRecord) =>
    (v === undefined ? 0 : FLAG.value) | (q === undefined ? 0 : FLAG.quality) | (a === undefined ? 0 : FLAG.annotation);
  switch (questionOf(column)) {
    case 'presence':
      return { presence: Uint8Array.from(column.timestamps, (time) => partsOf(model.get(time) ?? {})) };
    case 'any':
      return { presence: Uint8Array.of(inRange.length > 0 ? 1 : 0) };
    case 'times':
      return { ...UNASKED, times: Float64Array.from(inRange) };
    default:
      return UNASKED;
  }
}

/** Does to a model what a reader of the log learns from an effect, and from nothing else. */
function follow(model: Model, effect: ColumnEffect): void {
  const { clears, column, updates } = effect;
  if (clears) for (const time of model.keys()) if (time >= clears.fromMs && time <= clears.toMs) model.delete(time);
  for (const [index, time] of column.timestamps.entries()) {
    if (!effect.isWritten(index)) continue;
    const before = updates ? (model.get(time) ?? {}) : {};
    const flags = flagsAt(column, index);
    const value = column.texts[index] ?? column.numbers[index];
    const kept: ModelRecord = {
      ...(flags & FLAG.value ? { v: value as number | string } : !leavesNoValue(effect, index) && partOf('v', before)),
      ...(flags & FLAG.quality
        ? { q: column.qualities[index] ?? 0 }
        : !(flags & FLAG.qualityNull) && partOf('q', before)),
      ...(flags & FLAG.annotation
        ? { a: column.annotations.get(index) ?? '' }
        : !(flags & FLAG.annotationNull) && partOf('a', before)),
    };
    if (leavesNothing(effect, index) || Object.keys(kept).length === 0) model.delete(time);
    else model.set(time, kept);
  }
}

const partOf = (part: keyof ModelRecord, record: ModelRecord): ModelRecord =>
  record[part] === undefined ? {} : { [part]: record[part] };

test.each([
  ['numbers', false],
  ['texts', true],
])(
  `what readers learn of ${WRITES} random writes of %s is what became of the records (WRITE_MODES_SEED=${SEED})`,
  (_what, isText) => {
    const random = randomFrom(SEED + 7);
    const model: Model = new Map();
    const followed: Model = new Map();
    const verdicts = { needed: 0, of: 0 };
    for (let n = 0; n < WRITES; n += 1) {
      const { mode, updates } = randomWrite(random, 1, isText);
      const column = columnOf(mode, updates, isText ? { valueType: ValueType.VALUE_TYPE_TEXT } : {});
      const plan = planWrite(column, existingIn(model, column));
      const failure = applyToModel(model, mode, updates);
      const written = plan.kind === 'failed' ? [] : (plan.written ?? []);
      verdicts.of += 1;
      if (needsVerdict(column)) verdicts.needed += 1;
      else expect([mode, plan.kind, 'written' in plan && plan.written]).toEqual([mode, 'write', false]);
      expect([n, mode, plan.kind === 'failed']).toEqual([n, mode, failure !== undefined]);
      follow(followed, effectOf(column, bitsOf(written, column.timestamps.length)));
      expect({ n, mode, records: sorted(followed) }).toEqual({ n, mode, records: sorted(model) });
    }
    expect(verdicts.needed).toBeGreaterThan(verdicts.of / 4);
  },
);
