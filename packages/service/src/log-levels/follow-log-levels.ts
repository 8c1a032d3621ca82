import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { LogLevelsServiceService } from '@catchment/contracts/log-levels';
import type { CallerSigner, Peer } from '@catchment/grpc';
import { type Logger, takeLogLevelChange } from '@catchment/telemetry';

/** A stream ends by itself before. */
const STREAM_MS = 10 * 60_000;
/** A pause lies between a stream that has ended well and the next. */
const AGAIN_MS = 50;
/** The reader pauses this long after a stream that was broken, for the first time and at the most. */
const BROKEN_MS = { first: 500, most: 30_000 } as const;

type FollowOptions = {
  /** Name of the service. */
  readonly name: string;
  readonly log: Logger;
  readonly nodes: Peer;
  readonly signer: CallerSigner;
  /** Absent: the process's clock. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<unknown>;
};

/**
 * Follows what is wanted of the logger of a service that has no connection to the broker: nodes passes it on, and the answers back. Nothing
 * else waits for it: where nodes is away, the level is that of the setting.
 */
export function followLogLevels({ name, log, nodes, signer, pause = paused }: FollowOptions): {
  stop(): Promise<void>;
} {
  const client = nodes.client(LogLevelsServiceService);
  const stopping = new AbortController();
  const { signal } = stopping;
  const call = async () => ({ token: await signer.sign({ kind: 'service', service: name }), signal });
  const answer = async (answerTo: string) => {
    try {
      await client.answerLogLevel({ answerTo, process: `${hostname()}:${process.pid}` }, await call());
    } catch (err) {
      log.warn({ err }, 'log level was changed, but the answer has not arrived');
    }
  };
  const follow = async () => {
    let failures = 0;
    while (!signal.aborted) {
      let pauseMs = AGAIN_MS;
      try {
        failures += 1;
        const stream = client.followLogLevels({}, { ...(await call()), timeoutMs: STREAM_MS, waitForReady: true });
        for await (const { change, answerTo } of stream) {
          failures = 0;
          if (takeLogLevelChange(log, name, change)) void answer(answerTo);
        }
        if (failures > 0) pauseMs = afterFailures(failures);
      } catch (err) {
        if (signal.aborted) return;
        log.debug({ err }, 'log levels are not followed at the moment');
        failures = Math.max(1, failures);
        pauseMs = afterFailures(failures);
      }
      await pause(pauseMs, signal);
    }
  };
  const following = follow();
  return {
    stop: async () => {
      stopping.abort();
      await following;
      client.close();
    },
  };
}

/** Spreads the processes, so that not all come at once after nodes was away. */
const afterFailures = (failures: number): number =>
  Math.min(BROKEN_MS.first * 2 ** (failures - 1), BROKEN_MS.most) * (0.5 + Math.random() / 2);

const paused = (ms: number, signal: AbortSignal) => delay(ms, undefined, { signal }).catch(() => {});
