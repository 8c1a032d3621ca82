import { chosenFault, seeded } from '@catchment/pakbus/simulator';

/** Each fault of simulated hardware hits a percentage of the messages. */
export type FaultRates = {
  /** The connection breaks right after the message. */
  readonly drop?: number;
  /** The message is sent twice. */
  readonly duplicate?: number;
  /** The connection breaks in the middle of the message. */
  readonly partial?: number;
  /** No answer is read any more; another connection is made while this one stays open. */
  readonly silence?: number;
  /** The clock of the reading is wrong: up to a day, forwards or backwards. */
  readonly clockJump?: number;
};

export type Fault = 'drop' | 'duplicate' | 'partial' | 'silence';

const FAULTS = ['drop', 'duplicate', 'partial', 'silence'] as const satisfies readonly Fault[];
const DAY_MS = 86_400_000;

/** Chooses faults; the same seed, the same faults. */
export class Faults {
  readonly #rates: FaultRates;
  readonly #random: () => number;

  constructor(rates: FaultRates, seed: number) {
    this.#rates = rates;
    this.#random = seeded(seed * 2_654_435_761 + 1);
  }

  /** Chooses the fault of the next message; undefined: none. */
  next(): Fault | undefined {
    return chosenFault(FAULTS, this.#rates, this.#random);
  }

  /** Returns by how much the clock of the next reading is wrong. */
  clockError(): number {
    const { clockJump = 0 } = this.#rates;
    const isWrong = this.#random() * 100 < clockJump;
    return isWrong ? Math.round((this.#random() * 2 - 1) * DAY_MS) : 0;
  }
}
