import { aheadOf, atMostEvery, clockSkew, gauge, storeBytes, storeLimit } from '@catchment/telemetry';
import type { JetStreamManager } from '@nats-io/jetstream';
import { askMonitor } from './monitor.ts';
import { type Naming, streamName } from './naming.ts';
import { STREAMS, type StreamName } from './streams.ts';

const ASK_EVERY_MS = 4_000;
/** A limit changes with a restart of the server. */
const ASK_LIMIT_EVERY_MS = 60_000;
const MONITOR_LIMIT_MS = 2_000;
const STORE = { store: 'nats', part: '' } as const;

const bytes = gauge({
  name: 'catchment_stream_bytes',
  help: 'Bytes of the messages of a stream.',
  labels: ['stream'],
});
const limit = gauge({
  name: 'catchment_stream_limit_bytes',
  help: 'Limit of a stream, bytes.',
  labels: ['stream'],
});

/**
 * Reports how full the streams with a limit are, and the broker's storage, asked of the broker at a scrape.
 * @param monitorUrl of the monitoring port, which alone reports the limit of a server
 * @returns ends it
 */
export function reportStreams(manager: JetStreamManager, naming: Naming, monitorUrl?: string): () => void {
  const account = atMostEvery(ASK_EVERY_MS, () => manager.getAccountInfo());
  const ofServer = atMostEvery(ASK_LIMIT_EVERY_MS, async () =>
    monitorUrl === undefined
      ? undefined
      : (await askMonitor(monitorUrl, AbortSignal.timeout(MONITOR_LIMIT_MS))).limitBytes,
  );
  const storageLimit = async () => {
    const { max_storage: accountMax } = (await account()).limits;
    return accountMax > 0 ? accountMax : ofServer();
  };
  const ask = atMostEvery(ASK_EVERY_MS, () =>
    Promise.all(
      (Object.keys(STREAMS) as StreamName[]).map(async (stream) => {
        const { state, config } = await manager.streams.info(streamName(naming, stream));
        return { stream, bytes: state.bytes, limit: config.max_bytes };
      }),
    ),
  );
  const limited = async () => (await ask()).filter((stream) => stream.limit > 0);
  const ends = [
    storeBytes.from(async () => [[STORE, (await account()).storage]]),
    storeLimit.from(async () => {
      const most = await storageLimit();
      return most === undefined ? [] : [[STORE, most]];
    }),
    bytes.from(async () => (await limited()).map((stream) => [{ stream: stream.stream }, stream.bytes] as const)),
    limit.from(async () => (await limited()).map((stream) => [{ stream: stream.stream }, stream.limit] as const)),
  ];
  return () => {
    for (const end of ends) end();
  };
}

/** Reports by how much our clock is ahead of the broker's. Brokers before 2.10 do not say what theirs shows. @returns ends it */
export function reportBrokerClock(manager: JetStreamManager, naming: Naming): () => void {
  const ask = atMostEvery(ASK_EVERY_MS, async () => {
    const ahead = await aheadOf(async () => {
      const { ts } = await manager.streams.info(streamName(naming, 'DOMAIN'));
      return ts === undefined ? undefined : Date.parse(ts);
    });
    return ahead === undefined ? [] : [[{ against: 'nats' }, ahead] as const];
  });
  return clockSkew.from(ask);
}
