import type { CopyRecords } from './ports.ts';

type Most = Parameters<CopyRecords>[2];

/** A copy that takes longer than this is followed by smaller copies, a shorter copy by larger ones. */
const LONG_MS = 5_000;
const SHORT_MS = 2_000;
const LEAST = 1 / 256;

/**
 * Decides how many records are copied at a time. A copy that does not end within its step is lost as a whole, and the next one would begin
 * at the same place: so of a slow InfluxDB less is asked.
 */
export class CopyPace {
  #share = 1;

  /** @param most of a quick InfluxDB */
  of({ ofEach, inAll }: Most): Most {
    return { ofEach: Math.ceil(ofEach * this.#share), inAll: Math.ceil(inAll * this.#share) };
  }

  /** @param hasMore it was ended by the number of records: what has few of them says nothing about large copies */
  took(ms: number, hasMore: boolean): void {
    if (ms > LONG_MS) this.#change(1 / 2);
    else if (hasMore && ms < SHORT_MS) this.#change(2);
  }

  /** Makes the next copy smaller: this copy was given up before its end. */
  cutOff(): void {
    this.#change(1 / 4);
  }

  #change(factor: number): void {
    this.#share = Math.min(1, Math.max(LEAST, this.#share * factor));
  }
}
