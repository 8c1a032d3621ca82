import { isInstantMs } from '@catchment/time';
import type { PlanOutput } from './plan.ts';
import type { Value } from './program.ts';
import type { Records } from './series.ts';

/** A record that a run has made for one of the outputs. */
export type Emitted = {
  readonly output: number;
  readonly timeMs: number;
  readonly value?: Value | undefined;
  readonly quality?: number | undefined;
};

/** A time that no record can have. */
export const hasWrongTime = ({ timeMs }: Emitted): boolean => !isInstantMs(timeMs);

/** Records of each output, ascending; of two at the same time the later one. Outputs without records are left out. */
export function recordsByOutput(
  emitted: readonly Emitted[],
  outputs: readonly PlanOutput[],
): (Records & { readonly output: PlanOutput })[] {
  return [...Map.groupBy(emitted, ({ output }) => output)].flatMap(([index, records]) => {
    const output = outputs[index];
    if (!output) return [];
    const byTime = new Map(records.map((record) => [record.timeMs, record]));
    const sorted = [...byTime.values()].sort((a, b) => a.timeMs - b.timeMs);
    return [
      {
        output,
        times: sorted.map(({ timeMs }) => timeMs),
        values: sorted.map(({ value }) => value),
        qualities: sorted.map(({ quality }) => quality),
      },
    ];
  });
}
