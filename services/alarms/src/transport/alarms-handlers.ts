import { apiCaller, checkModify } from '@catchment/access';
import { AlarmAction, type AlarmsServiceService } from '@catchment/contracts/alarms';
import { DomainError } from '@catchment/errors';
import type { CallContext, Handlers } from '@catchment/grpc';
import { type AlarmDeps, acknowledgeAlarms, clearAlarms } from '../usecases/change-alarms.ts';
import { changeListedAlarms } from '../usecases/change-listed-alarms.ts';

export const alarmsHandlers = (deps: AlarmDeps): Handlers<typeof AlarmsServiceService> => ({
  acknowledge: async (request, context) => {
    await acknowledgeAlarms(deps, commandOf(request, context), request.comment);
    return {};
  },
  clear: async (request, context) => {
    await clearAlarms(deps, commandOf(request, context));
    return {};
  },
  changeAlarms: async ({ action, alarms, comment }, context) => {
    const caller = apiCaller(context.caller);
    checkModify(caller);
    const known = ACTIONS[action];
    if (!known) throw new DomainError('unimplemented', 'UNKNOWN_CALL', 'not offered by this release');
    const command = { action: known, alarms, comment, caller, call: context };
    const outcomes = await changeListedAlarms(deps, command);
    return {
      outcomes: outcomes.map((refusal) => ({
        kind: refusal?.kind ?? '',
        reason: refusal?.reason ?? '',
        message: refusal?.message ?? '',
      })),
    };
  },
});

const ACTIONS: Partial<Record<AlarmAction, 'acknowledge' | 'clear'>> = {
  [AlarmAction.ALARM_ACTION_ACKNOWLEDGE]: 'acknowledge',
  [AlarmAction.ALARM_ACTION_CLEAR]: 'clear',
};

function commandOf(request: { nodeRef: string; alarmTypes: string }, context: CallContext) {
  const caller = apiCaller(context.caller);
  checkModify(caller);
  const { token, deadlineMs, signal } = context;
  return { nodeRef: request.nodeRef, alarmTypes: request.alarmTypes, caller, token, deadlineMs, signal };
}
