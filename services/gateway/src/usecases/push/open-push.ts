import type { CallerSigner } from '@catchment/grpc';
import { repeat } from '@catchment/service';
import { gauge, type Logger } from '@catchment/telemetry';
import { PageHub } from '../pages/page-hub.ts';
import type { PageReader } from '../pages/read-page.ts';
import type { Peers } from '../ports.ts';
import { eventFeed, nodeFeed } from './feeds.ts';
import { PushHub } from './push-hub.ts';
import { StreamSlots } from './stream-slots.ts';

const TICK_MS = 1_000;

const clients = gauge({
  name: 'catchment_push_clients',
  help: 'Open streams of this process: of events, of nodes and of pages.',
});

/** All streams of this process. */
export type Push = {
  readonly events: PushHub;
  readonly nodes: PushHub;
  readonly slots: StreamSlots;
  /** Streams of pages, which follow the same changes. */
  openPages(reader: PageReader): PageHub;
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
  const ofNodes = nodeFeed(peers, signer);
  const nodes = new PushHub({ feed: ofNodes, signer, log });
  const tick = (hub: { tick(): Promise<void> }) =>
    repeat(() => hub.tick(), { everyMs: TICK_MS, failed: 'streams could not be looked after', log });
  const ticking = [events, nodes].map(tick);
  const pages: PageHub[] = [];
  const slots = new StreamSlots(limits);
  const stopReporting = clients.from(() => pages.reduce((sum, hub) => sum + hub.viewers, slots.taken));
  return {
    events,
    nodes,
    slots,
    openPages: (reader) => {
      const hub = new PageHub({ reader, feed: ofNodes, log });
      pages.push(hub);
      ticking.push(tick(hub));
      return hub;
    },
    close: () => {
      stopReporting();
      for (const hub of pages) hub.close();
      for (const ticks of ticking) void ticks.stop();
      events.close();
      nodes.close();
    },
  };
}
