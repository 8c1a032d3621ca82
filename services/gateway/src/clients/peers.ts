import { AlarmsServiceService } from '@catchment/contracts/alarms';
import { DevicesServiceService } from '@catchment/contracts/devices';
import { DiagnosisServiceService } from '@catchment/contracts/diagnosis';
import { EventFeedServiceService } from '@catchment/contracts/event-feed';
import { EventsServiceService } from '@catchment/contracts/events';
import { ExportsServiceService } from '@catchment/contracts/exports';
import { FilesServiceService } from '@catchment/contracts/files';
import { HistoricServiceService } from '@catchment/contracts/historic';
import { NodeFeedServiceService } from '@catchment/contracts/node-feed';
import { AccountsServiceService, NodesServiceService, ReportsServiceService } from '@catchment/contracts/nodes';
import { OperatorServiceService } from '@catchment/contracts/operator';
import { OwnersServiceService } from '@catchment/contracts/owners';
import { PagesServiceService } from '@catchment/contracts/pages';
import { PeopleServiceService } from '@catchment/contracts/people';
import { ProcessingServiceService } from '@catchment/contracts/processing';
import { RenderServiceService } from '@catchment/contracts/render';
import { RequestsServiceService } from '@catchment/contracts/requests';
import { SecurityServiceService } from '@catchment/contracts/security';
import { WebhooksServiceService } from '@catchment/contracts/webhooks';
import type { Peer } from '@catchment/grpc';
import type { PeerName, Peers } from '../usecases/ports.ts';

const CHECK_MS = 1_500;

/** There is one client per service; channels connect when first used and find a restarted peer again by themselves. */
export function connectPeers(peers: Readonly<Record<PeerName, Peer>>): Peers {
  const clients = {
    accounts: peers.nodes.client(AccountsServiceService),
    files: peers.nodes.client(FilesServiceService),
    nodes: peers.nodes.client(NodesServiceService, {
      streamed: { by: 'readStream', calls: ['getNode'], sizeBytes: ({ attr }: { attr: string }) => attr.length },
    }),
    nodeFeed: peers.nodes.client(NodeFeedServiceService),
    operator: peers.nodes.client(OperatorServiceService),
    owners: peers.nodes.client(OwnersServiceService),
    pages: peers.nodes.client(PagesServiceService),
    diagnosis: peers.nodes.client(DiagnosisServiceService),
    people: peers.nodes.client(PeopleServiceService),
    reports: peers.nodes.client(ReportsServiceService),
    requests: peers.nodes.client(RequestsServiceService),
    security: peers.nodes.client(SecurityServiceService),
    historic: peers.historic.client(HistoricServiceService, {
      streamed: {
        by: 'writeStream',
        calls: ['write', 'writeMany', 'writeNow'],
        sizeBytes: ({ body }: { body: Uint8Array }) => body.length,
      },
    }),
    exports: peers.historic.client(ExportsServiceService),
    alarms: peers.alarms.client(AlarmsServiceService),
    devices: peers.devices.client(DevicesServiceService),
    events: peers.events.client(EventsServiceService),
    webhooks: peers.events.client(WebhooksServiceService),
    eventFeed: peers.events.client(EventFeedServiceService),
    render: peers.render.client(RenderServiceService),
    processing: peers.processing.client(ProcessingServiceService),
  };
  return {
    ...clients,
    close: () => {
      for (const client of Object.values(clients)) client.close();
    },
    check: (peer) => clients[peer].waitForReady(CHECK_MS),
  };
}
