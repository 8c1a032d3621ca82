import { answer } from '../command-line/answer.ts';
import { openOutput } from '../export/open-output.ts';
import { openBytesProgress } from './bytes-progress.ts';

type Out = {
  readonly output?: string;
  readonly json?: boolean;
  readonly quiet: boolean;
  readonly series: number;
  readonly format: string;
  readonly signal: AbortSignal;
};

/** Writes what comes to standard output, or to a file that is there once it is whole. */
export async function writeOut(
  chunks: AsyncIterable<Uint8Array>,
  { output: file, json, quiet, series, format, signal }: Out,
): Promise<void> {
  const output = openOutput(file);
  // The progress would be in the way on a terminal that prints the output too.
  const isShown = !quiet && (file !== undefined || !process.stdout.isTTY);
  const progress = openBytesProgress(process.stderr, isShown);
  let bytes = 0;
  try {
    for await (const chunk of chunks) {
      signal.throwIfAborted();
      await output.write(chunk);
      bytes += chunk.length;
      progress.update(bytes);
    }
    await output.complete();
  } catch (error) {
    await output.abandon();
    if (signal.aborted || bytes === 0 || isClosed(error)) throw error;
    const kept = file === undefined ? 'what was printed is not whole' : `${file} was not written`;
    throw Object.assign(
      new Error(`The answer broke off after ${bytes} bytes, and ${kept}: ${(error as Error).message}`),
      {
        kind: (error as { kind?: string }).kind,
        cause: error,
      },
    );
  } finally {
    progress.stop();
  }
  if (file !== undefined)
    answer(
      { json: json === true },
      { file, bytes, series, format },
      () => `${file}: ${bytes} bytes, ${series} series.`,
    );
}

const isClosed = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'EPIPE';
