import { setTimeout as sleep } from 'node:timers/promises';
import { isNoServer } from './pg-errors.ts';

/** A server that is started again on the same volume takes about so long; callers wait no longer for an answer. */
const LIMIT_MS = 6_000;
const PAUSE_MS = 100;

/**
 * Waits for a server that was there and is not, since it mostly is started again and whoever asks had better wait than ask again. One that
 * stays away, or has never been there, is so at once.
 */
export class RestartWait {
  readonly #limitMs: number;
  #wasThere = false;
  #awaySinceMs: number | undefined;

  constructor(limitMs: number = LIMIT_MS) {
    this.#limitMs = limitMs;
  }

  /** @throws what `connect` fails with */
  async over<T>(connect: () => Promise<T>): Promise<T> {
    const beganMs = performance.now();
    for (;;) {
      try {
        const connected = await connect();
        this.#wasThere = true;
        this.#awaySinceMs = undefined;
        return connected;
      } catch (error) {
        const nowMs = performance.now();
        this.#awaySinceMs ??= nowMs;
        const awayMs = nowMs - Math.min(beganMs, this.#awaySinceMs);
        if (!this.#wasThere || !isNoServer(error) || awayMs >= this.#limitMs) throw error;
        await sleep(PAUSE_MS);
      }
    }
  }
}
