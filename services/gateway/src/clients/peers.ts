import { AlarmsServiceService } from '@catchment/contracts/alarms';
import { DevicesServiceService } from '@catchment/contracts/devices';
import { EventFeedServiceService } from '@catchment/contracts/event-feed';
import { EventsServiceService } from '@catchment/contracts/events';
import { ExportsServiceService } from '@catchment/contracts/exports';
import { FilesServiceService } from '@catchment/contracts/files';
import { HistoricServiceService } from '@catchment/contracts/historic';
import { NodeFeedServiceService } from '@catchment/contracts/node-feed';
import { AccountsServiceService, NodesServiceService } from '@catchment/contracts/nodes';
import { OwnersServiceService } from '@catchment/contracts/owners';
import { PagesServiceService } from '@catchment/contracts/pages';
import { PeopleServiceService } from '@catchment/contracts/people';
import { ProcessingServiceService } from '@catchment/contracts/processing';
import { RenderServiceService } from '@catchment/contracts/render';
import { SecurityServiceService } from '@catchment/contracts/security';
import { WebhooksServiceService } from '@catchment/contracts/webhooks';
import { createGrpcClient } from '@catchment/grpc';
import type { PeerName, Peers } from '../usecases/ports.ts';

const CHECK_MS = 1_500;

/** One client per service; channels connect when first used and find a restarted peer again by themselves. */
export function connectPeers(addresses: Readonly<Record<PeerName, string>>): Peers {
  const clients = {
    accounts: createGrpcClient(AccountsServiceService, addresses.nodes),
    files: createGrpcClient(FilesServiceService, addresses.nodes),
    nodes: createGrpcClient(NodesServiceService, addresses.nodes, {
      streamed: { by: 'readStream', calls: ['getNode'], sizeBytes: ({ attr }: { attr: string }) => attr.length },
    }),
    nodeFeed: createGrpcClient(NodeFeedServiceService, addresses.nodes),
    owners: createGrpcClient(OwnersServiceService, addresses.nodes),
    pages: createGrpcClient(PagesServiceService, addresses.nodes),
    people: createGrpcClient(PeopleServiceService, addresses.nodes),
    security: createGrpcClient(SecurityServiceService, addresses.nodes),
    historic: createGrpcClient(HistoricServiceService, addresses.historic, {
      streamed: {
        by: 'writeStream',
        calls: ['write', 'writeMany', 'writeNow'],
        sizeBytes: ({ body }: { body: Uint8Array }) => body.length,
      },
    }),
    exports: createGrpcClient(ExportsServiceService, addresses.historic),
    alarms: createGrpcClient(AlarmsServiceService, addresses.alarms),
    devices: createGrpcClient(DevicesServiceService, addresses.devices),
    events: createGrpcClient(EventsServiceService, addresses.events),
    webhooks: createGrpcClient(WebhooksServiceService, addresses.events),
    eventFeed: createGrpcClient(EventFeedServiceService, addresses.events),
    render: createGrpcClient(RenderServiceService, addresses.render),
    processing: createGrpcClient(ProcessingServiceService, addresses.processing),
  };
  return {
    ...clients,
    close: () => {
      for (const client of Object.values(clients)) client.close();
    },
    check: (peer) => clients[peer].waitForReady(CHECK_MS),
  };
}
