import type { AlarmsServiceService } from '@catchment/contracts/alarms';
import type { DevicesServiceService } from '@catchment/contracts/devices';
import type { DiagnosisServiceService } from '@catchment/contracts/diagnosis';
import type { EventFeedServiceService } from '@catchment/contracts/event-feed';
import type { EventsServiceService } from '@catchment/contracts/events';
import type { ExportsServiceService } from '@catchment/contracts/exports';
import type { FilesServiceService } from '@catchment/contracts/files';
import type { HistoricServiceService } from '@catchment/contracts/historic';
import type { NodeFeedServiceService } from '@catchment/contracts/node-feed';
import type { AccountsServiceService, NodesServiceService, ReportsServiceService } from '@catchment/contracts/nodes';
import type { OperatorServiceService } from '@catchment/contracts/operator';
import type { OwnersServiceService } from '@catchment/contracts/owners';
import type { PagesServiceService } from '@catchment/contracts/pages';
import type { PeopleServiceService } from '@catchment/contracts/people';
import type { ProcessingServiceService } from '@catchment/contracts/processing';
import type { RenderServiceService } from '@catchment/contracts/render';
import type { RequestsServiceService } from '@catchment/contracts/requests';
import type { SecurityServiceService } from '@catchment/contracts/security';
import type { WebhooksServiceService } from '@catchment/contracts/webhooks';
import type { GrpcClient } from '@catchment/grpc';

export const PEER_NAMES = ['nodes', 'historic', 'alarms', 'devices', 'events', 'render', 'processing'] as const;
export type PeerName = (typeof PEER_NAMES)[number];

/** The services behind the gateway go by what they serve. */
export type Peers = {
  readonly accounts: GrpcClient<typeof AccountsServiceService>;
  readonly files: GrpcClient<typeof FilesServiceService>;
  readonly nodes: GrpcClient<typeof NodesServiceService>;
  readonly nodeFeed: GrpcClient<typeof NodeFeedServiceService>;
  readonly operator: GrpcClient<typeof OperatorServiceService>;
  readonly owners: GrpcClient<typeof OwnersServiceService>;
  readonly pages: GrpcClient<typeof PagesServiceService>;
  readonly diagnosis: GrpcClient<typeof DiagnosisServiceService>;
  readonly people: GrpcClient<typeof PeopleServiceService>;
  readonly reports: GrpcClient<typeof ReportsServiceService>;
  readonly requests: GrpcClient<typeof RequestsServiceService>;
  readonly security: GrpcClient<typeof SecurityServiceService>;
  readonly historic: GrpcClient<typeof HistoricServiceService>;
  readonly exports: GrpcClient<typeof ExportsServiceService>;
  readonly alarms: GrpcClient<typeof AlarmsServiceService>;
  readonly devices: GrpcClient<typeof DevicesServiceService>;
  readonly events: GrpcClient<typeof EventsServiceService>;
  readonly webhooks: GrpcClient<typeof WebhooksServiceService>;
  readonly eventFeed: GrpcClient<typeof EventFeedServiceService>;
  readonly render: GrpcClient<typeof RenderServiceService>;
  readonly processing: GrpcClient<typeof ProcessingServiceService>;
  /** Rejects while the peer cannot be reached. */
  check(peer: PeerName): Promise<void>;
  close(): void;
};
