import { createLogger } from '@catchment/telemetry';
import type { JsMsg } from '@nats-io/jetstream';
import { type BatchHandler, handleDelivered } from './delivered.ts';
import { MAX_UNKNOWN_FAILURES, verdictOf } from './verdict.ts';

const MESSAGE = {
  subject: 'ingest.0',
  data: new Uint8Array(),
  seq: 1,
  info: { deliveryCount: MAX_UNKNOWN_FAILURES, timestampNanos: 0 },
} as unknown as JsMsg;

/** Returns what becomes of a message whose handling has failed often before. */
async function verdictAfter(handle: BatchHandler): Promise<string> {
  const error: unknown = await handleDelivered([MESSAGE], {
    stream: 'INGEST',
    consumer: 'writer-0',
    maxBatch: 1,
    workLimitMs: 1,
    log: createLogger('test'),
    stripPrefix: (subject) => subject,
    deadLetter: async () => {},
    acknowledge: async () => {},
    acknowledgeAgain: () => {},
    makeAgain: async () => true,
    handle,
  }).catch((thrown: unknown) => thrown);
  return verdictOf(error, MESSAGE.info.deliveryCount).kind;
}

const end = (signal: AbortSignal) => new Promise((resolve) => signal.addEventListener('abort', resolve));

test.each<[what: string, handle: BatchHandler, verdict: string]>([
  [
    'work that runs out of time is tried again without end',
    async (_messages, signal) => {
      await end(signal);
      signal.throwIfAborted();
    },
    'retry',
  ],
  [
    'also where another signal has joined it',
    async (_messages, signal) => {
      const either = AbortSignal.any([signal, new AbortController().signal]);
      await end(either);
      either.throwIfAborted();
    },
    'retry',
  ],
  [
    'an error of another cause is not, however late',
    async (_messages, signal) => {
      await end(signal);
      throw new Error('broken');
    },
    'dead_letter',
  ],
])('%s', async (_what, handle, verdict) => {
  expect(await verdictAfter(handle)).toBe(verdict);
});
