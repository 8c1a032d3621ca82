/** A participant: the work it has had, in units of cost divided by weight. */
export type Turn = { start: number };

/**
 * Start-time fair queueing (Goyal, Vin, Cheng 1996): the next turn goes to the participant that has had least so far. One that is new, or
 * after a pause, begins where the others are: nothing is saved up.
 */
export class Turns {
  #now = 0;

  /** To be called when a participant without waiting work brings some. */
  join(turn: Turn): void {
    turn.start = Math.max(turn.start, this.#now);
  }

  /** Charges a turn that begins. */
  charge(turn: Turn, amount: number): void {
    this.#now = Math.max(this.#now, turn.start);
    turn.start += amount;
  }

  /** Returns whether it makes no difference to forget this one. */
  isForgettable(turn: Turn): boolean {
    return turn.start <= this.#now;
  }
}

/** The next participant; undefined when none may. */
export function nextTurn<T extends Turn>(all: Iterable<T>, may: (one: T) => boolean): T | undefined {
  let next: T | undefined;
  for (const one of all) if ((next === undefined || one.start < next.start) && may(one)) next = one;
  return next;
}
