/** A flow of requests, such as those of an account, has had this work, in units of cost divided by weight. */
export type Flow = { start: number };

/**
 * Start-time fair queueing (Goyal, Vin, Cheng 1996): the flow that has had least so far is served next. A flow that is new, or
 * that was idle, begins where the others are: nothing is saved up.
 */
export class FairOrder {
  #now = 0;

  /** Lets a flow without waiting work take part again, when it brings some. */
  join(flow: Flow): void {
    flow.start = Math.max(flow.start, this.#now);
  }

  /** Charges a flow for work that begins. */
  charge(flow: Flow, amount: number): void {
    this.#now = Math.max(this.#now, flow.start);
    flow.start += amount;
  }

  /** Returns whether it makes no difference to forget this flow. */
  isForgettable(flow: Flow): boolean {
    return flow.start <= this.#now;
  }
}

/** Returns the next flow; undefined when none may begin. */
export function nextFlow<T extends Flow>(all: Iterable<T>, may: (flow: T) => boolean): T | undefined {
  let next: T | undefined;
  for (const flow of all) if ((next === undefined || flow.start < next.start) && may(flow)) next = flow;
  return next;
}
