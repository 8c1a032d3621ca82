import type { CallerSigner } from '@catchment/grpc';
import { repeat } from '@catchment/service';
import type { Logger } from '@catchment/telemetry';
import type { Peers } from '../ports.ts';
import { eventFeed, nodeFeed } from './feeds.ts';
import { PushHub } from './push-hub.ts';
import { StreamPlaces } from './stream-places.ts';

const TICK_MS = 1_000;

/** All streams of this process. */
export type Push = {
  readonly events: PushHub;
  readonly nodes: PushHub;
  readonly places: StreamPlaces;
  /** Ends all streams and lets no new ones begin. */
  close(): void;
};

export function openPush({
  peers,
  signer,
  log,
  limits,
}: {
  readonly peers: Pick<Peers, 'eventFeed' | 'nodeFeed'>;
  readonly signer: CallerSigner;
  readonly log: Logger;
  readonly limits: { readonly streams: number; readonly streamsOfKey: number };
}): Push {
  const events = new PushHub({ feed: eventFeed(peers, signer), signer, log });
  const nodes = new PushHub({ feed: nodeFeed(peers, signer), signer, log });
  const ticking = [events, nodes].map((hub) =>
    repeat(() => hub.tick(), { everyMs: TICK_MS, failed: 'streams could not be looked after', log }),
  );
  return {
    events,
    nodes,
    places: new StreamPlaces(limits),
    close: () => {
      for (const ticks of ticking) void ticks.stop();
      events.close();
      nodes.close();
    },
  };
}
