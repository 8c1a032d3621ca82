import { aheadOf, atMostEvery, clockSkew, gauge } from '@catchment/telemetry';
import type { JetStreamManager } from '@nats-io/jetstream';
import { type Naming, STREAMS, type StreamName, streamName } from './topology.ts';

const ASK_EVERY_MS = 4_000;

const bytes = gauge({
  name: 'catchment_stream_bytes',
  help: 'Room that the messages of a stream take, bytes.',
  labels: ['stream'],
});
const limit = gauge({
  name: 'catchment_stream_limit_bytes',
  help: 'Room that a stream has, bytes.',
  labels: ['stream'],
});

/** Tells how full the streams with a limit are, asked of the broker at a scrape. @returns ends it */
export function tellStreams(manager: JetStreamManager, naming: Naming): () => void {
  const ask = atMostEvery(ASK_EVERY_MS, () =>
    Promise.all(
      (Object.keys(STREAMS) as StreamName[]).map(async (stream) => {
        const { state, config } = await manager.streams.info(streamName(naming, stream));
        return { stream, bytes: state.bytes, limit: config.max_bytes };
      }),
    ),
  );
  const limited = async () => (await ask()).filter((one) => one.limit > 0);
  const ends = [
    bytes.from(async () => (await limited()).map((one) => [{ stream: one.stream }, one.bytes] as const)),
    limit.from(async () => (await limited()).map((one) => [{ stream: one.stream }, one.limit] as const)),
  ];
  return () => {
    for (const end of ends) end();
  };
}

/** Tells by how much our clock is ahead of the broker's. Brokers before 2.10 do not say what theirs shows. @returns ends it */
export function tellBrokerClock(manager: JetStreamManager, naming: Naming): () => void {
  const ask = atMostEvery(ASK_EVERY_MS, async () => {
    const ahead = await aheadOf(async () => {
      const { ts } = await manager.streams.info(streamName(naming, 'DOMAIN'));
      return ts === undefined ? undefined : Date.parse(ts);
    });
    return ahead === undefined ? [] : [[{ against: 'nats' }, ahead] as const];
  });
  return clockSkew.from(ask);
}
