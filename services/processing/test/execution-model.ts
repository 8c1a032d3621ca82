import { intervalAt } from './fake-historic.ts';

/** A series has this at a time; undefined = a record without a value. */
type ModelRecord = { readonly value: number | undefined; readonly quality?: number };
export type ModelSeries = Map<number, ModelRecord>;

export type ModelProgram = {
  readonly runMode: 'ALL_INPUTS' | 'ANY_INPUT';
  readonly secondaryInputs: 'INTERPOLATED' | 'RETAIN';
  readonly aggregateInputs: 'PARTIAL' | 'COMPLETE';
  /** True if records of type BAD are left out. */
  readonly isFiltered: boolean;
  /** Total of an interval; the first one is the primary. */
  readonly inputs: readonly {
    readonly series: string;
    readonly total?: { readonly baseTime: string; readonly interval: string };
  }[];
};

export type Evaluation = { readonly timeMs: number; readonly inputs: readonly (number | undefined)[] };

/** The rules of docs/reference/processing-and-ratings.md#program-runs said plainly, over all records at once. */
export function evaluations(
  program: ModelProgram,
  all: ReadonlyMap<string, ModelSeries>,
  afterMs = Number.NEGATIVE_INFINITY,
  isBad: (quality: number | undefined) => boolean = () => false,
): Evaluation[] {
  const visible = program.inputs.map(({ series }) =>
    [...(all.get(series) ?? [])]
      .flatMap(([timeMs, { value, quality }]) =>
        value === undefined || (program.isFiltered && isBad(quality)) ? [] : [{ timeMs, value }],
      )
      .sort((a, b) => a.timeMs - b.timeMs),
  );
  const newest = visible.map((records) => records.at(-1)?.timeMs ?? Number.NEGATIVE_INFINITY);
  const isComplete = program.aggregateInputs === 'COMPLETE';
  const primary = program.inputs[0];
  const starts = (visible[0] ?? []).map(({ timeMs }) =>
    primary?.total && isComplete ? intervalAt(primary.total.baseTime, primary.total.interval, timeMs).start : timeMs,
  );
  const done: Evaluation[] = [];
  for (const timeMs of [...new Set(starts)].filter((start) => start > afterMs)) {
    const waits = program.inputs.some(({ total }, n) => {
      const until = newest[n] ?? 0;
      if (total && isComplete) return until < intervalAt(total.baseTime, total.interval, timeMs).end;
      return program.runMode === 'ALL_INPUTS' && until < timeMs;
    });
    if (waits) break;
    const inputs = program.inputs.map(({ total }, n): number | undefined => {
      const records = visible[n] ?? [];
      if (total) {
        const { start, end } = intervalAt(total.baseTime, total.interval, timeMs);
        const within = records.filter(
          (record) => record.timeMs >= start && record.timeMs < end && (isComplete || record.timeMs <= timeMs),
        );
        return within.length === 0 ? undefined : within.reduce((sum, sample) => sum + sample.value, 0);
      }
      const before = records.findLast((record) => record.timeMs <= timeMs);
      const after = records.find((record) => record.timeMs > timeMs);
      if (!before || before.timeMs === timeMs || !after || n === 0 || program.secondaryInputs === 'RETAIN')
        return before?.value;
      return before.value + (after.value - before.value) * ((timeMs - before.timeMs) / (after.timeMs - before.timeMs));
    });
    done.push({ timeMs, inputs });
  }
  return done;
}
