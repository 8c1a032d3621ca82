import { setTimeout as delay } from 'node:timers/promises';
import type { Api } from '../api.ts';

const FIRST_MS = Date.UTC(2024, 0, 1);
const STEP_MS = 1_000;
/** This many records in a row are on one side of the threshold. */
const PHASE = 10;
const RETRY_MS = 50;
const DOCUMENT = { docType: 'jts', version: '1.0' };

export const THRESHOLD = 5;

/** The value of the n-th record is high in every second phase, and differs for each n of a phase. */
const nthValue = (n: number, phase: number): number => (Math.floor(n / phase) % 2) * 10 + (n % 1_000) / 250;
const timeOf = (n: number): string => new Date(FIRST_MS + n * STEP_MS).toISOString();

type Pace = {
  readonly phase: number;
  readonly everyMs: number;
  readonly most: number;
  /**
   * Where true, records are written with MERGE_PRESERVE_EXISTING, which only the writer can decide, and each is followed by another of the
   * same time on the other side of the threshold, which must not be stored nor judged.
   */
  readonly isPreserving: boolean;
};

/** The parameter crosses its threshold again and again. Each record is sent until it is answered 202, one after the other. */
export class Level {
  readonly id: string;
  readonly twiceId: string;
  readonly #api: Api;
  readonly #pace: Pace;
  #written = 0;
  #isStopping = false;
  #failures = 0;
  #writing: Promise<void> | undefined;

  constructor(api: Api, ids: { readonly id: string; readonly twiceId: string }, pace: Partial<Pace> = {}) {
    this.#api = api;
    this.id = ids.id;
    this.twiceId = ids.twiceId;
    this.#pace = { phase: PHASE, everyMs: 0, most: Number.POSITIVE_INFINITY, isPreserving: false, ...pace };
  }

  /** Records that were answered 202. */
  get written(): number {
    return this.#written;
  }

  /** Returns the requests that were answered otherwise, or not at all. */
  get failures(): number {
    return this.#failures;
  }

  get isPreserving(): boolean {
    return this.#pace.isPreserving;
  }

  get isAtItsEnd(): boolean {
    return this.#written >= this.#pace.most;
  }

  start(): void {
    this.#writing = this.#run();
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#writing;
  }

  /** Values by time. */
  records(): Map<string, number> {
    return new Map(Array.from({ length: this.#written }, (_, n) => [timeOf(n), nthValue(n, this.#pace.phase)]));
  }

  /** Returns times of the records that change the state. */
  crossings(): string[] {
    const isHigh = (n: number) => nthValue(n, this.#pace.phase) >= THRESHOLD;
    const numbers = Array.from({ length: this.#written }, (_, n) => n);
    return numbers.filter((n) => n > 0 && isHigh(n) !== isHigh(n - 1)).map(timeOf);
  }

  async #run(): Promise<void> {
    while (!this.#isStopping && !this.isAtItsEnd) {
      const n = this.#written;
      const value = nthValue(n, this.#pace.phase);
      // A record that was begun is sent until it is answered: only then is it known what must be there.
      while (!(await this.#put(value, timeOf(n)))) await delay(RETRY_MS);
      if (this.isPreserving) while (!(await this.#put(THRESHOLD * 2 - value, timeOf(n)))) await delay(RETRY_MS);
      this.#written += 1;
      if (this.#pace.everyMs > 0) await delay(this.#pace.everyMs);
    }
  }

  async #put(value: number, timestamp: string): Promise<boolean> {
    const data = [{ ts: timestamp, f: { 0: { v: value } } }];
    const sent = this.isPreserving
      ? this.#api.put(`/nodes/${this.id}/historic?writeMode=MERGE_PRESERVE_EXISTING`, { ...DOCUMENT, data })
      : this.#api.put(`/nodes/${this.id}/historic/now`, { value, timestamp });
    const status = await sent.then(
      (answer) => answer.status,
      () => 0,
    );
    if (status !== 202) this.#failures += 1;
    return status === 202;
  }
}
