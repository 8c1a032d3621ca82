import type { AlarmType } from '@catchment/query';
import { type Alarm, CLEARED } from './alarm.ts';
import { alarmNews, type CustomText } from './alarm-news.ts';
import type { Occurrence } from './alarm-types.ts';
import type { NewEvent, NodeAlarm, StoredAlarm } from './changes.ts';
import type { Node } from './node.ts';

/** Collects the effects of occurrences on alarms, in order, and the events about them; nothing is stored yet. */
export class AlarmChanges {
  readonly #alarms: Map<string, Alarm>;
  /** The message of the log changed these. */
  readonly #changed = new Map<string, NodeAlarm>();
  readonly #done: NodeAlarm[] = [];
  readonly #events: NewEvent[] = [];

  constructor(stored: readonly StoredAlarm[]) {
    this.#alarms = new Map(stored.map(({ nodeId, type, alarm }) => [keyOf(nodeId, type), alarm]));
  }

  /** @param username who has brought it about */
  take(node: Node, occurrence: Occurrence, username = 'System'): void {
    const alarmOf = (type: AlarmType) => this.#alarmOf(node, type);
    const { timeMs } = occurrence;
    for (const { type, alarm, custom, event } of alarmNews(occurrence, node, alarmOf)) {
      this.#set(node, type, alarm, custom);
      if (event) this.#events.push({ ...event, node, timeMs, username });
    }
  }

  /** Silently. */
  clear(node: Node, type: AlarmType): void {
    this.#set(node, type, CLEARED);
  }

  /** The states of alarms after a message of the log are announced; states in between are not. */
  endMessage(): void {
    this.#done.push(...this.#changed.values());
    this.#changed.clear();
  }

  get changes(): { readonly alarms: readonly NodeAlarm[]; readonly events: readonly NewEvent[] } {
    return { alarms: [...this.#done, ...this.#changed.values()], events: this.#events };
  }

  #alarmOf = ({ nodeId }: Node, type: AlarmType): Alarm => this.#alarms.get(keyOf(nodeId, type)) ?? CLEARED;

  #set(node: Node, type: AlarmType, alarm: Alarm, custom?: CustomText): void {
    const before = this.#alarmOf(node, type);
    if (before === alarm) return;
    const key = keyOf(node.nodeId, type);
    const isSameToAll = before.alarmState === 'CLEARED' && alarm.alarmState === 'CLEARED';
    const isReported = !isSameToAll || this.#changed.get(key)?.isReported === true;
    this.#alarms.set(key, alarm);
    this.#changed.set(key, { node, type, alarm, custom, isReported });
  }
}

const keyOf = (nodeId: string, type: AlarmType): string => `${nodeId} ${type}`;
