import { EventFeedServiceService } from '@catchment/contracts/event-feed';
import {
  AcquisitionHistoryServiceService,
  AlarmHistoryServiceService,
  EventsServiceService,
  type ListEventsRequest,
} from '@catchment/contracts/events';
import { LimitsServiceService } from '@catchment/contracts/limits';
import { NodesServiceService } from '@catchment/contracts/nodes';
import { SecurityServiceService } from '@catchment/contracts/security';
import { WebhooksServiceService } from '@catchment/contracts/webhooks';
import { nameServers } from '@catchment/egress';
import { listWork, slotsFor } from '@catchment/fair-queue';
import { admitted } from '@catchment/grpc';
import { accountDays, visibleNodes } from '@catchment/node-replica';
import { openService, repeat } from '@catchment/service';
import { readEvents } from './bus/event-readers.ts';
import { config } from './config.ts';
import { namedNodes, startWebhooks } from './start-webhooks.ts';
import { eventColumns } from './store/event-columns.ts';
import { PgEventStore } from './store/pg-event-store.ts';
import { PgMonths } from './store/pg-months.ts';
import { PgRetention } from './store/pg-retention.ts';
import { startTopics } from './topics/index.ts';
import { eventFeedHandlers } from './transport/event-feed-handlers.ts';
import {
  acquisitionHistoryHandlers,
  alarmHistoryHandlers,
  type EventDays,
  eventsHandlers,
} from './transport/events-handlers.ts';
import { EventTail } from './usecases/event-tail.ts';
import { sweep } from './usecases/sweep.ts';

/** Pause between two looks at the end of the log, while somebody watches it. */
const LOOK_EVERY_MS = 200;
/** This many lists run at a time; recording has the other connections. */
const LISTS = 4;

/** A query of events waits in the queue that its request names. */
const eventsWork = ({ nodeRef, arguments: { limit } }: ListEventsRequest) =>
  listWork({ limit: limit === undefined ? undefined : Number(limit) }, nodeRef);

export const service = openService(config, async (scope) => {
  const { config, log, defer, database, bus, signer, peers } = scope;
  const { classNamespace, debugRetentionDays } = config;
  const months = new PgMonths(database, { monthsMax: config.monthsMax });
  await months.makeAhead(Date.now());
  const events = new PgEventStore(database, months, eventColumns(classNamespace));

  const nodes = peers.nodes.client(NodesServiceService);
  const security = peers.nodes.client(SecurityServiceService);
  const webhooks = startWebhooks({
    database,
    bus,
    events,
    rules: config.webhooks,
    resolve: nameServers(),
    now: Date.now,
    log,
    nodes: namedNodes(nodes, signer),
  });
  defer(() => webhooks.stop());
  const tail = new EventTail(events);
  const limits = peers.nodes.client(LimitsServiceService);
  const allDays = accountDays(limits, signer, 'events', 'eventDays', config.retentionDays);
  const daysOf: EventDays = async (ownerId, signal) => {
    const { own, installation } = await allDays(signal);
    return { eventDays: own.get(ownerId) ?? installation, debugEventDays: debugRetentionDays };
  };
  const deps = { events, nodes: visibleNodes(nodes, security), now: Date.now, tail, daysOf };
  const lists = slotsFor('TOO_MANY_LISTS', LISTS);
  await scope.serve((server) =>
    server
      .add(
        EventsServiceService,
        admitted(EventsServiceService, eventsHandlers(deps), lists, { listEvents: eventsWork }),
      )
      .add(AlarmHistoryServiceService, alarmHistoryHandlers(deps))
      .add(AcquisitionHistoryServiceService, acquisitionHistoryHandlers(deps))
      .add(WebhooksServiceService, webhooks.handlers)
      .add(EventFeedServiceService, eventFeedHandlers(deps)),
  );
  const looking = repeat(() => tail.look(), {
    everyMs: LOOK_EVERY_MS,
    failed: 'the end of the log could not be read, trying again',
    log,
  });
  defer(async () => {
    tail.close();
    await looking.stop();
  });

  const readers = readEvents(bus, events);
  defer(() => readers.stop());
  const topics = await startTopics({ bus, database, events, log }, config.kafka);
  defer(() => topics.stop());
  const retention = new PgRetention(database, months);
  const sweepOnce = async (stopping: AbortSignal) => {
    const deps = { retention, debugRetentionDays, daysOf: () => allDays(stopping) };
    const removed = await sweep(deps, Date.now(), stopping);
    if (removed > 0) log.info({ removed }, 'old events removed');
  };
  const sweeping = { everyMs: config.sweepSeconds * 1_000, failed: 'sweep failed, trying again later', log };
  const sweeper = repeat(sweepOnce, sweeping);
  defer(() => sweeper.stop());
});
