import { Gather } from '@catchment/fair-queue';
import type { PartitionLoop } from './partition-loop.ts';

/** A broker that does not answer by then says nothing. */
const ANSWER_MS = 250;
const MOST_AT_ONCE = 10_000;

/**
 * Knows whether a replica has a whole log: everything that a reader's consumers have delivered since a span of time began was delivered to this replica, and
 * everything before was finished. No lease and no clock: the broker says it.
 */
export class LogHold {
  readonly #loops: readonly Pick<PartitionLoop, 'span' | 'heldSpan'>[];
  /** A question that comes while the broker is asked needs a later answer; such questions share one. */
  readonly #asked: Gather<undefined, number | undefined>;

  constructor(loops: readonly Pick<PartitionLoop, 'span' | 'heldSpan'>[]) {
    this.#loops = loops;
    this.#asked = new Gather({
      batch: { items: MOST_AT_ONCE },
      work: async (batch) => {
        const span = await this.#ask();
        for (const { resolve } of batch) resolve(span);
      },
    });
  }

  /** Counts the spans that this replica knows: the number changes after each moment in which a message may have gone to another replica. */
  get span(): number {
    return this.#loops.reduce((sum, { span }) => sum + span, 0);
  }

  /** Returns the span as the broker confirms it, asked after this call; undefined where others have got messages, or where nobody knows. */
  current(): Promise<number | undefined> {
    return this.#asked.add(undefined);
  }

  async #ask(): Promise<number | undefined> {
    const { promise: late, resolve } = Promise.withResolvers<undefined>();
    const timer = setTimeout(() => resolve(undefined), ANSWER_MS);
    try {
      const spans = await Promise.race([Promise.all(this.#loops.map((loop) => loop.heldSpan())), late]);
      // The sum of those that were confirmed: one of them may be over by now.
      return spans?.reduce((sum, span) => (sum === undefined || span === undefined ? undefined : sum + span), 0);
    } finally {
      clearTimeout(timer);
    }
  }
}
