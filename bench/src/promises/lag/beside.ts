import { setTimeout as delay } from 'node:timers/promises';
import type { Pool } from 'undici';
import type { LoadRequest } from '../../loads/load.ts';
import type { Modem } from '../../loads/modem.ts';

const PAUSE_MS = 50;
const LATE_MS = 60_000;

/** Others wait for these while a long piece of work goes on: the longest of each, in ms. */
export type Waits = { readonly acknowledgedMs: number; readonly nowWriteMs: number };

/** A modem sends a message, and a program writes one record, each again a moment after the one before was answered. */
export class Neighbour {
  readonly #modem: Modem;
  readonly #write: () => Promise<void>;

  constructor(modem: Modem, api: Pool, key: string, request: (nth: number) => LoadRequest) {
    this.#modem = modem;
    let nth = 0;
    this.#write = async () => {
      nth += 1;
      const { method, path, body = null } = request(nth);
      const headers = { 'x-api-key': key, 'content-type': 'application/json' };
      const answer = await api.request({ method, path, headers, body });
      const text = await answer.body.text();
      if (answer.statusCode !== 202) throw new Error(`a now write was answered ${answer.statusCode}: ${text}`);
    };
  }

  /** Measures their waits during `work`, from its begin until it has ended. */
  async beside(work: () => Promise<unknown>): Promise<Waits> {
    let isOver = false;
    const longest = async (once: () => Promise<void>) => {
      let most = 0;
      while (!isOver) {
        const began = performance.now();
        await once();
        most = Math.max(most, performance.now() - began);
        await delay(PAUSE_MS);
      }
      return most;
    };
    const waits = Promise.all([longest(() => this.#acknowledged()), longest(this.#write)]);
    // The first failure says why; nothing goes on behind it.
    await Promise.all([work().finally(() => (isOver = true)), waits]);
    const [acknowledgedMs, nowWriteMs] = await waits;
    return { acknowledgedMs, nowWriteMs };
  }

  async #acknowledged(): Promise<void> {
    this.#modem.send();
    const deadline = performance.now() + LATE_MS;
    while (this.#modem.waiting > 0) {
      if (performance.now() > deadline) throw new Error('a message of the modem was not acknowledged in time');
      await delay(1);
    }
  }
}
