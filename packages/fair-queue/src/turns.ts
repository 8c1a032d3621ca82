/** Somebody who takes turns: how much of the work has been theirs, in units of cost divided by weight. */
export type Turn = { start: number };

/**
 * Start-time fair queueing (Goyal, Vin, Cheng 1996): the next turn is that of whoever has had least so far. Who comes anew, or
 * after a pause, begins where the others are: nothing is saved up.
 */
export class Turns {
  #now = 0;

  /** To be called when somebody who has nothing waiting comes with work. */
  join(turn: Turn): void {
    turn.start = Math.max(turn.start, this.#now);
  }

  /** Charges a turn that begins. */
  charge(turn: Turn, amount: number): void {
    this.#now = Math.max(this.#now, turn.start);
    turn.start += amount;
  }

  /** Whether it makes no difference to forget this one. */
  isForgettable(turn: Turn): boolean {
    return turn.start <= this.#now;
  }
}

/** Whose turn is next; undefined when nobody may. */
export function nextTurn<T extends Turn>(all: Iterable<T>, may: (one: T) => boolean): T | undefined {
  let next: T | undefined;
  for (const one of all) if ((next === undefined || one.start < next.start) && may(one)) next = one;
  return next;
}
