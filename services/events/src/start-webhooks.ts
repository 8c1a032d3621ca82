import { randomBytes } from 'node:crypto';
import type { Bus } from '@catchment/bus';
import type { NodesServiceService } from '@catchment/contracts/nodes';
import type { ResolveHost } from '@catchment/egress';
import type { CallerSigner, GrpcClient } from '@catchment/grpc';
import type { Database } from '@catchment/pg';
import type { Logger } from '@catchment/telemetry';
import type { PgEventStore } from './store/pg-event-store.ts';
import { cloudEventOf } from './transport/cloud-event.ts';
import {
  HttpWebhookSender,
  type NamedNodes,
  PgWebhookQueue,
  PgWebhooks,
  readAccounts,
  type TargetRules,
  WebhookWorker,
  webhooksHandlers,
} from './webhooks/index.ts';

/** Longest attempt as a whole. */
const TRY_MS = 10_000;

/** Wires the room of webhooks: handlers of its service, and the worker that delivers. */
export function startWebhooks(deps: {
  readonly database: Database;
  readonly bus: Bus;
  readonly events: PgEventStore;
  readonly nodes: NamedNodes;
  readonly rules: TargetRules;
  readonly resolve: ResolveHost;
  readonly now: () => number;
  readonly log: Logger;
  /** Longest time of a try. */
  readonly tryMs?: number;
}) {
  const { database, events, rules, now, log, resolve, tryMs = TRY_MS } = deps;
  const queue = new PgWebhookQueue(database, events);
  const sender = new HttpWebhookSender({ rules, resolve, now, tryMs });
  const worker = new WebhookWorker({
    queue,
    retention: queue,
    sender,
    events,
    nodes: deps.nodes,
    now,
    log,
    cloudEventOf,
  }).start();
  const accounts = readAccounts(deps.bus, queue);
  const webhooks = new PgWebhooks(database, events);
  return {
    handlers: webhooksHandlers({ webhooks, events, rules, newSecret, now }, () => worker.wake()),
    wake: () => worker.wake(),
    stop: async () => {
      await Promise.all([worker.stop(), accounts.stop()]);
      await sender.close();
    },
  };
}

/** Standard Webhooks asks for this form: 32 random bytes. */
const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/** Looks nodes up in the name of the service: no person is there when a webhook is delivered. */
export const namedNodes =
  (nodes: Pick<GrpcClient<typeof NodesServiceService>, 'resolveNodes'>, signer: CallerSigner): NamedNodes =>
  async (ownerId, customIds) => {
    if (customIds.length === 0) return new Map();
    const nodeRefs = customIds.map((customId) => `@${customId}`);
    const token = await signer.sign({ kind: 'service', service: 'events' });
    const answer = await nodes.resolveNodes({ nodeRefs, ownerId, skipsMissing: true }, { token });
    return new Map(answer.nodes.map(({ customId, nodeId }) => [customId, nodeId]));
  };
