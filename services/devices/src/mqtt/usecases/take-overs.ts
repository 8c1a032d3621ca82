import { hash } from 'node:crypto';
import type { Replicas } from './replicas.ts';

type Deps = { readonly replicas: Replicas; readonly now: () => number };
type Held = { readonly sinceMs: number; readonly end: () => void };

const SUBJECT = 'mqtt-client.connected.v1';

/**
 * A key and client id have one connection: a newer connection ends the older one, also at another replica
 * (docs/reference/acquisition.md#mqtt). Replicas send messages about it, without keys; where a message gets lost, the
 * older connection ends when its client is silent.
 */
export class TakeOvers {
  readonly #deps: Deps;
  readonly #held = new Map<string, Held>();

  constructor(deps: Deps) {
    this.#deps = deps;
    deps.replicas.hear(SUBJECT, (text) => {
      const [mark = '', sinceMs] = text.split(' ');
      this.#endOlder(mark, Number(sinceMs));
    });
  }

  /** @param end ends the connection, because a newer one has come @returns to be called when it has ended */
  enter(key: string, clientId: string, end: () => void): () => void {
    const mark = hash('sha256', JSON.stringify([key, clientId]), 'hex');
    const held = { sinceMs: this.#deps.now(), end };
    this.#held.get(mark)?.end();
    this.#held.set(mark, held);
    this.#deps.replicas.say(SUBJECT, `${mark} ${held.sinceMs}`);
    return () => {
      if (this.#held.get(mark) === held) this.#held.delete(mark);
    };
  }

  #endOlder(mark: string, sinceMs: number): void {
    const held = this.#held.get(mark);
    if (!held || held.sinceMs >= sinceMs) return;
    this.#held.delete(mark);
    held.end();
  }
}
