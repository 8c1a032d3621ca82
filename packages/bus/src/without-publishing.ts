import { AsyncLocalStorage } from 'node:async_hooks';

const repeatable = new AsyncLocalStorage<{ isOver: boolean }>();

/** Runs work that may be run again, so that nothing that it calls may publish (`refuseWhenRepeatable`) until it is over. */
export async function withoutPublishing<T>(work: () => Promise<T>): Promise<T> {
  // Work that began within and continues afterwards may publish again.
  const scope = { isOver: false };
  try {
    return await repeatable.run(scope, work);
  } finally {
    scope.isOver = true;
  }
}

/** @throws Error in work that may be run again: a mistake in the program */
export function refuseWhenRepeatable(): void {
  if (repeatable.getStore()?.isOver === false)
    throw new Error('a transaction must not publish: it may be run again; append to its outbox instead');
}
