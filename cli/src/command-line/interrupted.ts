import { constants } from 'node:os';

/** A signal ended the command. */
export class Interrupted extends Error {
  readonly exitCode: number;

  constructor(signal: 'SIGINT' | 'SIGTERM', what: string) {
    super(what);
    this.exitCode = 128 + constants.signals[signal];
  }
}

/** The first SIGINT or SIGTERM aborts it; the second one ends the process at once. @param what is printed */
export function interruptSignal(what = 'Interrupted.'): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const)
    process.once(name, () => controller.abort(new Interrupted(name, what)));
  return controller.signal;
}
