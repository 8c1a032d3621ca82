import { apiCaller } from '@catchment/access';
import type {
  AcquisitionHistoryServiceService,
  AlarmHistoryServiceService,
  EventsServiceService,
} from '@catchment/contracts/events';
import type { CallContext, Handlers } from '@catchment/grpc';
import { clearEvents, createEvents } from '../usecases/change-events.ts';
import { listEvents } from '../usecases/list-events.ts';
import type { EventsCall, EventsDeps, EventText } from '../usecases/ports.ts';
import { countAlarmEvents, getAcquisitionEvents, getAlarmsAt } from '../usecases/read-history.ts';

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
  countAlarmEvents: async (period, { caller }) => ({ counts: [...(await countAlarmEvents(deps, caller, period))] }),
  getEventDays: (_request, { caller, signal }) => deps.daysOf(apiCaller(caller).ownerId, signal),
});

/** AlarmHistoryService answers what the event log knows of alarms. */
export const alarmHistoryHandlers = (
  deps: Pick<EventsDeps, 'events'>,
): Handlers<typeof AlarmHistoryServiceService> => ({
  getAlarmsAt: async (request, { caller }) => ({ alarms: await getAlarmsAt(deps, caller, request) }),
});

/** AcquisitionHistoryService answers what the event log knows of a source's contacts. */
export const acquisitionHistoryHandlers = (
  deps: Pick<EventsDeps, 'events'>,
): Handlers<typeof AcquisitionHistoryServiceService> => ({
  getAcquisitionEvents: async (request, { caller }) => ({ events: await getAcquisitionEvents(deps, caller, request) }),
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
