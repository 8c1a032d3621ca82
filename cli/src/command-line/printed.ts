/** Printing needs this of a process. */
type Program = Pick<NodeJS.Process, 'stdout' | 'stderr'> & { once(event: 'exit', listener: () => void): unknown };

/**
 * A text that cannot be printed, for its reader has gone or a disk is full, ends no work: whoever needs it to be
 * printed waits for it. A result that was lost for another reason than its reader is a failure at the end.
 * @param report gets the failure
 */
export function watchPrinted(program: Program, report: (error: Error) => void): void {
  let lost: Error | undefined;
  program.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') lost ??= error;
  });
  program.stderr.on('error', () => {});
  program.once('exit', () => {
    if (lost) report(new Error(`Not all of it could be printed: ${lost.message}`, { cause: lost }));
  });
}
