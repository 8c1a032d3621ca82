import { apiCaller, checkModify } from '@catchment/access';
import type { AlarmsServiceService } from '@catchment/contracts/alarms';
import type { CallContext, Handlers } from '@catchment/grpc';
import { type AlarmDeps, acknowledgeAlarms, clearAlarms } from '../usecases/change-alarms.ts';

export const alarmsHandlers = (deps: AlarmDeps): Handlers<typeof AlarmsServiceService> => ({
  acknowledge: async (request, context) => {
    await acknowledgeAlarms(deps, commandOf(request, context), request.comment);
    return {};
  },
  clear: async (request, context) => {
    await clearAlarms(deps, commandOf(request, context));
    return {};
  },
});

function commandOf(request: { nodeRef: string; alarmTypes: string }, context: CallContext) {
  const caller = apiCaller(context.caller);
  checkModify(caller);
  const { token, deadlineMs, signal } = context;
  return { nodeRef: request.nodeRef, alarmTypes: request.alarmTypes, caller, token, deadlineMs, signal };
}
