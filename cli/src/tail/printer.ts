import { openOutput } from '../export/open-output.ts';

/** A line on standard output. It is there before the next one, and a reader that has gone ends the command. */
export type Print = (line: string) => Promise<void>;

export const printer = (): Print => {
  const output = openOutput(undefined);
  return (line) => output.write(`${line}\n`);
};

/** A stream that people end is at its end. */
export async function untilStopped(signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
