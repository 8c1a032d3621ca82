import { apiCaller, scopeOf, serviceCaller } from '@catchment/access';
import type {
  AcquisitionHistoryServiceService,
  AlarmHistoryServiceService,
  EventsServiceService,
} from '@catchment/contracts/events';
import { invalid } from '@catchment/errors';
import type { CallContext, Handlers } from '@catchment/grpc';
import { clearEvents, createEvents } from '../usecases/change-events.ts';
import { listEvents } from '../usecases/list-events.ts';
import type { EventsCall, EventsDeps, EventText } from '../usecases/ports.ts';

const MAX_NODES = 1_000;
const MAX_ACQUISITIONS = 200;
const CONTENT_TYPE = 'application/json; charset=utf-8';

/** Returns how long events of an account are kept, in days; 0 = for ever. */
export type EventDays = (
  ownerId: string,
  signal: AbortSignal,
) => Promise<{ readonly eventDays: number; readonly debugEventDays: number }>;

export const eventsHandlers = (
  deps: EventsDeps & { readonly daysOf: EventDays },
): Handlers<typeof EventsServiceService> => ({
  async *listEvents(request, context) {
    const batches = await listEvents(deps, callOf(request.nodeRef, context), request);
    let contentType = CONTENT_TYPE;
    for await (const data of arrayOf(batches)) {
      yield { data, contentType, revision: '' };
      contentType = '';
    }
  },
  createEvents: async ({ nodeRef, body, arrivalMs }, context) => {
    await createEvents(deps, callOf(nodeRef, context), { body, arrivalMs });
    return {};
  },
  clearEvents: async ({ nodeRef }, context) => {
    await clearEvents(deps, callOf(nodeRef, context));
    return {};
  },
  countAlarmEvents: async ({ ownerId, ...request }, { caller }) => {
    const scope = scopeOf(serviceCaller(caller, 'gateway'), ownerId);
    return { counts: [...(await deps.events.countActive({ ...request, ownerId: scope.ownerId }))] };
  },
  getEventDays: (_request, { caller, signal }) => deps.daysOf(apiCaller(caller).ownerId, signal),
});

/** AlarmHistoryService: what the event log knows of alarms. */
export const alarmHistoryHandlers = ({
  events,
}: Pick<EventsDeps, 'events'>): Handlers<typeof AlarmHistoryServiceService> => ({
  getAlarmsAt: async ({ ownerId, nodeIds, timeMs }, { caller }) => {
    serviceCaller(caller);
    if (nodeIds.length > MAX_NODES) throw invalid('TOO_MANY_NODES', `nodeIds: must be at most ${MAX_NODES}`);
    return { alarms: await events.alarmsAt(ownerId, nodeIds, timeMs) };
  },
});

/** AcquisitionHistoryService: what the event log knows of a source's contacts. */
export const acquisitionHistoryHandlers = ({
  events,
}: Pick<EventsDeps, 'events'>): Handlers<typeof AcquisitionHistoryServiceService> => ({
  getAcquisitionEvents: async ({ ownerId, nodeId, limit }, { caller }) => {
    serviceCaller(caller, 'nodes');
    if (limit > MAX_ACQUISITIONS) throw invalid('INVALID_ARGUMENT', `limit: must be at most ${MAX_ACQUISITIONS}`);
    return { events: await events.acquisitionsOf(ownerId, nodeId, limit) };
  },
});

const callOf = (nodeRef: string, { caller, token, deadlineMs, signal }: CallContext): EventsCall => ({
  caller: apiCaller(caller),
  token,
  deadlineMs,
  signal,
  nodeRef,
});

/** Writes the JSON array, a piece per batch. */
async function* arrayOf(batches: AsyncIterable<readonly EventText[]>): AsyncIterable<Buffer> {
  let before = '[';
  for await (const texts of batches) {
    yield Buffer.from(before + texts.join(','));
    before = ',';
  }
  yield Buffer.from(before === '[' ? '[]' : ']');
}
