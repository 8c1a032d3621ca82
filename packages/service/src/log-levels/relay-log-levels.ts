import { serviceCaller } from '@catchment/access';
import type { Bus } from '@catchment/bus';
import type { LogLevelsServiceService } from '@catchment/contracts/log-levels';
import { DomainError, invalid } from '@catchment/errors';
import type { Handlers } from '@catchment/grpc';
import { Wakeup } from '@catchment/pg';

/** A change of the log level as the broker has brought it, and where the answer goes. */
type WantedLevel = { readonly change: Uint8Array; readonly answerTo: string };

/** A stream ends after this time, so that followers find new replicas. */
const FOLLOW_MS = 5 * 60_000;
/** One replica is followed by at most this many processes of gateway and render. */
const FOLLOWERS_MAX = 1_000;
/**
 * Changes that wait for a follower that takes none. The oldest are dropped: a later change replaces an earlier one
 * anyway.
 */
const WAITING_MAX = 16;

/** Host and process id: one line of what `catchment log-level` prints. */
const PROCESS = /^[\w.:-]{1,200}$/;

type Follower = { readonly wakeup: Wakeup; readonly waiting: WantedLevel[] };

/** Processes without a connection to the broker that follow what is wanted of their loggers. */
class LevelFollowers {
  readonly #followers = new Set<Follower>();
  readonly #max: number;
  #isClosed = false;

  constructor(max: number) {
    this.#max = max;
  }

  announce(wanted: WantedLevel): void {
    for (const { wakeup, waiting } of this.#followers) {
      waiting.push(wanted);
      if (waiting.length > WAITING_MAX) waiting.shift();
      wakeup.wake();
    }
  }

  /**
   * Changes as they come, for a few minutes; undefined at first: what comes from then on is reported.
   * @throws DomainError resource_exhausted
   */
  async *follow(signal: AbortSignal): AsyncGenerator<WantedLevel | undefined> {
    if (this.#followers.size >= this.#max)
      throw new DomainError(
        'resource_exhausted',
        'TOO_MANY_STREAMS',
        `At most ${this.#max} processes follow log levels`,
      );
    const { wakeup, waiting }: Follower = { wakeup: new Wakeup(), waiting: [] };
    const wake = () => wakeup.wake();
    const follower = { wakeup, waiting };
    signal.addEventListener('abort', wake, { once: true });
    this.#followers.add(follower);
    try {
      if (!this.#isClosed) yield undefined;
      const untilMs = performance.now() + FOLLOW_MS;
      for (;;) {
        for (let wanted = waiting.shift(); wanted; wanted = waiting.shift()) yield wanted;
        const leftMs = untilMs - performance.now();
        if (signal.aborted || this.#isClosed || leftMs <= 0) return;
        await wakeup.woken(leftMs);
      }
    } finally {
      signal.removeEventListener('abort', wake);
      this.#followers.delete(follower);
    }
  }

  /** Ends all streams, so that the process can stop. */
  close(): void {
    this.#isClosed = true;
    for (const { wakeup } of this.#followers) wakeup.wake();
  }
}

/**
 * LogLevelsService: passes on what the broker brings to services that have no connection to it, and their answers back. It is closed before
 * the server, which waits for its streams.
 */
export function relayLogLevels(
  bus: Pick<Bus, 'answerLogLevel' | 'watchLogLevels'>,
  max: number = FOLLOWERS_MAX,
): { readonly handlers: Handlers<typeof LogLevelsServiceService>; close(): void } {
  const followers = new LevelFollowers(max);
  bus.watchLogLevels((change, answerTo) => followers.announce({ change, answerTo }));
  return {
    handlers: {
      async *followLogLevels(_request, { caller, signal }) {
        serviceCaller(caller);
        for await (const wanted of followers.follow(signal))
          yield { change: Buffer.from(wanted?.change ?? []), answerTo: wanted?.answerTo ?? '' };
      },
      answerLogLevel: async ({ answerTo, process }, { caller }) => {
        const { service } = serviceCaller(caller);
        if (!PROCESS.test(process)) throw invalid('INVALID_ARGUMENT', 'process: must be a host and a process id');
        bus.answerLogLevel(answerTo, `${service} ${process}`);
        return {};
      },
    },
    close: () => followers.close(),
  };
}
