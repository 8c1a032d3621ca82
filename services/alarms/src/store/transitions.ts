import { counter } from '@catchment/telemetry';
import type { NodeAlarm } from '../domain/changes.ts';

const transitions = counter({
  name: 'catchment_alarm_transitions_total',
  help: 'Changes of alarms that were stored, by the new state: active, acknowledged, cleared.',
  labels: ['alarm_type', 'to'],
});

/** Changes of alarms of one transaction, counted once it is committed. */
export class Transitions {
  #alarms: NodeAlarm[] = [];

  /** The transaction begins, perhaps again. */
  begin(): this {
    this.#alarms = [];
    return this;
  }

  add(alarms: readonly NodeAlarm[] = []): void {
    this.#alarms.push(...alarms);
  }

  count(): void {
    for (const { type, alarm } of this.#alarms)
      transitions.add({ alarm_type: type, to: alarm.alarmState.toLowerCase() });
  }
}
