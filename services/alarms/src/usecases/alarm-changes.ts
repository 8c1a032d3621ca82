import type { AlarmType } from '@catchment/query';
import { type Alarm, CLEARED } from '../domain/alarm.ts';
import { alarmNews, type CustomText } from '../domain/alarm-news.ts';
import type { Occurrence } from '../domain/alarm-types.ts';
import type { Node } from '../domain/node.ts';
import type { NewEvent, NodeAlarm, StoredAlarm } from './ports.ts';

/** What occurrences do to alarms, in order, and the events about them; nothing is stored yet. */
export class AlarmChanges {
  readonly #alarms: Map<string, Alarm>;
  readonly #changed = new Map<string, NodeAlarm>();
  readonly #events: NewEvent[] = [];

  constructor(stored: readonly StoredAlarm[]) {
    this.#alarms = new Map(stored.map(({ nodeId, type, alarm }) => [keyOf(nodeId, type), alarm]));
  }

  take(node: Node, occurrence: Occurrence): void {
    const alarmOf = (type: AlarmType) => this.#alarmOf(node, type);
    const { timeMs } = occurrence;
    for (const { type, alarm, custom, event } of alarmNews(occurrence, node, alarmOf)) {
      this.#set(node, type, alarm, custom);
      if (event) this.#events.push({ ...event, node, timeMs, username: 'System' });
    }
  }

  /** Silently. */
  clear(node: Node, type: AlarmType): void {
    this.#set(node, type, CLEARED);
  }

  get changes(): { readonly alarms: readonly NodeAlarm[]; readonly events: readonly NewEvent[] } {
    return { alarms: [...this.#changed.values()], events: this.#events };
  }

  #alarmOf = ({ nodeId }: Node, type: AlarmType): Alarm => this.#alarms.get(keyOf(nodeId, type)) ?? CLEARED;

  #set(node: Node, type: AlarmType, alarm: Alarm, custom?: CustomText): void {
    if (this.#alarmOf(node, type) === alarm) return;
    this.#alarms.set(keyOf(node.nodeId, type), alarm);
    this.#changed.set(keyOf(node.nodeId, type), { node, type, alarm, custom });
  }
}

const keyOf = (nodeId: string, type: AlarmType): string => `${nodeId} ${type}`;
