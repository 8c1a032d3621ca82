import type { AlarmHistoryServiceService } from '@catchment/contracts/events';
import type { CallerSigner, GrpcClient } from '@catchment/grpc';
import { formatIsoMs } from '@catchment/time';
import type { AlarmHistory } from '../../usecases/report-ports.ts';
import { callOptions } from '../call-options.ts';

/** Reads alarms of another time from the event log. Rights of the caller have been checked before. */
export function alarmHistoryClient(
  history: Pick<GrpcClient<AlarmHistoryServiceService>, 'getAlarmsAt'>,
  signer: CallerSigner,
): AlarmHistory {
  return {
    async at(ownerId, nodeIds, timeMs, call) {
      const token = await signer.sign({ kind: 'service', service: 'render' });
      const { alarms } = await history.getAlarmsAt(
        { ownerId, nodeIds: [...nodeIds], timeMs },
        { ...callOptions(call), token },
      );
      return alarms.map(({ nodeId, alarmType, ...alarm }) => ({
        nodeId,
        type: alarmType,
        status: {
          alarmState: alarm.alarmState,
          ...(alarm.message !== '' && { message: alarm.message }),
          ...(alarm.activeTimeMs !== 0 && { activeTime: formatIsoMs(alarm.activeTimeMs) }),
          ...(alarm.acknowledgeTimeMs !== 0 && {
            acknowledgeTime: formatIsoMs(alarm.acknowledgeTimeMs),
            acknowledgeUsername: alarm.acknowledgeUsername,
          }),
        },
      }));
    },
  };
}
