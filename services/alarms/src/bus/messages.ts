import { AlarmChanged, StateChanged } from '@catchment/contracts/alarms';
import type { StateRecord } from '@catchment/contracts/common';
import { EventRecorded, type Transition as TransitionMessage } from '@catchment/contracts/events';
import type { OutboxMessage } from '@catchment/pg';
import type { Transition } from '../domain/alarm-news.ts';
import type { NewEvent, NodeAlarm, SeriesChange } from '../domain/changes.ts';
import { newestMs } from '../domain/history.ts';
import { normalOf, type StateStep } from '../domain/series.ts';

/** @param newId makes the ids of events */
export const changeMessages = (newId: () => string) => ({
  event: (event: NewEvent) => eventMessage(event, newId()),
  state: stateMessage,
  alarm: alarmMessage,
});

const eventMessage = (event: NewEvent, eventId: string): OutboxMessage => ({
  subject: 'events.event.recorded.v1',
  data: EventRecorded.encode({
    eventId,
    ownerId: event.node.ownerId,
    workspaceId: event.node.workspaceId,
    nodeId: event.node.nodeId,
    nodeClass: event.node.nodeClass,
    level: event.level,
    eventType: event.eventType,
    alarmState: event.alarmState,
    timeMs: event.timeMs,
    username: event.username,
    message: event.message,
    transition: event.transition && transitionOf(event.transition),
    alarmType: event.alarmType ?? event.transition?.alarmType,
  }).finish(),
});

const transitionOf = ({ alarmType, alarmState, states }: Transition): TransitionMessage => ({
  alarmType,
  alarmStateTo: alarmState,
  stateFrom: states?.from,
  stateTo: states?.to,
  record: states?.record && publishedRecord(states.record),
});

/** A longer text would be in each of many messages: a reader takes it from the store. */
const TOLD_TEXT_MAX = 1_024;

function publishedRecord({ timeMs, value, code: quality }: NonNullable<StateStep['record']>): StateRecord | undefined {
  if (typeof value === 'number') return { timeMs, value: { $case: 'number', value }, quality };
  return value.length > TOLD_TEXT_MAX ? undefined : { timeMs, value: { $case: 'text', value }, quality };
}

/** A series without an announced state is in NORMAL, or in none. */
function stateMessage({ node, series }: SeriesChange, revision: number): OutboxMessage {
  const timeMs = newestMs(series.history);
  return {
    subject: 'alarms.state.changed.v1',
    data: StateChanged.encode({
      nodeId: node.nodeId,
      ownerId: node.ownerId,
      stateId: series.stateId ?? (node.rules && normalOf(node.rules)?.stateId) ?? '',
      revision,
      timeMs: Number.isFinite(timeMs) ? timeMs : undefined,
    }).finish(),
  };
}

const alarmMessage = ({ node, type, alarm, custom }: NodeAlarm, revision: number): OutboxMessage => ({
  subject: 'alarms.alarm.changed.v1',
  data: AlarmChanged.encode({
    nodeId: node.nodeId,
    ownerId: node.ownerId,
    alarmType: type,
    alarmState: alarm.alarmState,
    message: alarm.message ?? '',
    categoryId: alarm.categoryId ?? '',
    activeTimeMs: alarm.activeTimeMs ?? 0,
    acknowledgeTimeMs: alarm.acknowledgeTimeMs ?? 0,
    acknowledgeUsername: alarm.acknowledgeUsername ?? '',
    acknowledgeComment: alarm.acknowledgeComment ?? '',
    revision,
    custom: custom && { ...custom, record: custom.record && publishedRecord(custom.record) },
  }).finish(),
});
