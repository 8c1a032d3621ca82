import { CatchmentError } from '@catchment/client';

export type Course = {
  /** Is called with how many of all files are on their way. */
  readonly progress: (done: number, all: number) => void;
  /** True to stop before the next. */
  readonly isOver: () => boolean;
};

/** The server takes ten at a time: one that it has no room for is asked for again. */
export async function oneByOne(
  ids: readonly string[],
  send: (id: string) => Promise<unknown>,
  { progress, isOver, wait }: Course & { readonly wait: () => Promise<unknown> },
): Promise<number> {
  for (const [done, id] of ids.entries()) {
    for (;;) {
      if (isOver()) return done;
      const refusal: unknown = await send(id).then(
        () => undefined,
        (error: unknown) => error,
      );
      if (refusal === undefined) break;
      if (!(refusal instanceof CatchmentError && refusal.reason === 'TOO_MANY_DELIVERIES')) throw refusal;
      await wait();
    }
    progress(done + 1, ids.length);
  }
  return ids.length;
}
