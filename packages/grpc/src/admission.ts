import type { Caller } from '@catchment/access';
import { type FairQueue, PLATFORM, type Work } from '@catchment/fair-queue';
import type { ServiceDefinition } from '@grpc/grpc-js';
import type { CallContext } from './handlers.ts';

/**
 * A call asks this of a queue: its cost, where 0 is admitted without waiting; and how it waits, without which its
 * method is its lane.
 */
type CallWork = number | Pick<Work, 'cost' | 'lane' | 'isBulk'>;

/** The calls of each method have a cost, or a function of the request gives it. */
export type Costs<H> = {
  readonly [Method in keyof H]?: H[Method] extends (request: infer Request, context: CallContext) => unknown
    ? CallWork | ((request: Request) => CallWork)
    : never;
};

/** Handlers of any service: each gets the requests of its own method. */
type AnyHandlers = Record<string, (request: never, context: CallContext) => unknown>;

/**
 * Handlers whose costly methods wait for their account's turn in a queue. A stream keeps its place until its last
 * message is taken: what it holds in memory is bounded with it. Each method is a separate lane.
 */
export function admitted<Definition extends ServiceDefinition, H extends object>(
  definition: Definition,
  handlers: H,
  queue: FairQueue,
  costs: Costs<H>,
): H {
  const all = handlers as AnyHandlers;
  const waiting = Object.entries(costs as Record<string, CallWork | ((request: unknown) => CallWork)>).map(
    ([name, asked]) => {
      const [method, handler] = [definition[name], all[name]];
      if (!method || !handler) throw new Error(`there is no method ${name}`);
      const enter = async (request: unknown, { caller, signal }: CallContext) => {
        const work = typeof asked === 'function' ? asked(request) : asked;
        const { cost, ...how } = typeof work === 'number' ? { cost: work } : work;
        return cost > 0
          ? queue.enter({ account: accountOf(caller, request), cost, lane: name, ...how, signal })
          : () => undefined;
      };
      return [name, method.responseStream ? streamAfter(enter, handler) : answerAfter(enter, handler)];
    },
  );
  return { ...handlers, ...Object.fromEntries(waiting) };
}

type Enter = (request: unknown, context: CallContext) => Promise<() => void>;
type Handler = AnyHandlers[string];

const answerAfter = (enter: Enter, handler: Handler) => async (request: unknown, context: CallContext) => {
  const leave = await enter(request, context);
  try {
    return await handler(request as never, context);
  } finally {
    leave();
  }
};

const streamAfter = (enter: Enter, handler: Handler) =>
  async function* (request: unknown, context: CallContext) {
    const leave = await enter(request, context);
    try {
      yield* handler(request as never, context) as AsyncIterable<unknown>;
    } finally {
      leave();
    }
  };

/** Returns whose work a call is: its caller's, or that of the account that one of our services names. */
export function accountOf(caller: Caller, request: unknown): string {
  if (caller.kind === 'api') return caller.ownerId;
  const { ownerId } = request as { readonly ownerId?: unknown };
  return typeof ownerId === 'string' ? ownerId : PLATFORM;
}
