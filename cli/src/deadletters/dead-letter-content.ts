import { AlarmChanged, AttemptEnded, StateChanged } from '@catchment/contracts/alarms';
import { DeviceCallDue } from '@catchment/contracts/devices';
import { EventRecorded } from '@catchment/contracts/events';
import { AppliedGroup, NotifyOn, WriteMode } from '@catchment/contracts/ingest';
import {
  AccountChanged,
  AlarmTextDue,
  KeyChanged,
  NodeChanged,
  NodesDeleted,
  NotificationDue,
} from '@catchment/contracts/nodes-messages';
import { decodeBatch, type LogEntry } from '@catchment/ingest-log';
import { formatIsoMs } from '@catchment/time';

const MESSAGES: Readonly<Record<string, { decode(data: Uint8Array): unknown }>> = {
  'alarms.alarm.changed.v1': AlarmChanged,
  'alarms.attempt.ended.v1': AttemptEnded,
  'alarms.state.changed.v1': StateChanged,
  'events.event.recorded.v1': EventRecorded,
  'nodes.account.changed.v1': AccountChanged,
  'nodes.key.changed.v1': KeyChanged,
  'nodes.node.changed.v1': NodeChanged,
  'nodes.node.deleted.v1': NodesDeleted,
  'notifications.call.due.v1': DeviceCallDue,
  'notifications.email.due.v1': NotificationDue,
  'notifications.sms.due.v1': NotificationDue,
  'notifications.text.due.v1': AlarmTextDue,
};

/** At most so much is shown: entries of a list, characters of a text, bytes of content that cannot be decoded. */
const SHOWN = { entries: 20, characters: 500, bytes: 256 } as const;

/**
 * Shows people what a dead letter says: its message where this version knows it, otherwise its first bytes. Long lists
 * and texts are truncated, and say so.
 */
export function deadLetterContent(subject: string, data: Uint8Array): unknown {
  try {
    if (subject.startsWith('ingest.')) return truncated(decodeBatch(data).map(entryContent));
    const type = subject.startsWith('applied.') ? AppliedGroup : MESSAGES[subject];
    if (type) return truncated(type.decode(data));
  } catch (error) {
    return { unreadable: String(error instanceof Error ? error.message : error), ...bytesOf(data) };
  }
  return { unknown: `this version has no message ${subject}`, ...bytesOf(data) };
}

const bytesOf = (data: Uint8Array) => ({
  bytes: data.length,
  first: Buffer.from(data.subarray(0, SHOWN.bytes)).toString('hex'),
});

/** @returns undefined for what a truncated list does not show */
function truncated(value: unknown): unknown {
  if (typeof value === 'string' && value.length > SHOWN.characters) return `${value.slice(0, SHOWN.characters)}…`;
  if (ArrayBuffer.isView(value)) return bytesOf(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
  if (Array.isArray(value)) {
    const shown = value.slice(0, SHOWN.entries).map(truncated);
    return value.length > SHOWN.entries ? [...shown, `… ${value.length - SHOWN.entries} more`] : shown;
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, truncated(part)]));
}

/** Shows an entry of the ingest log; a column is shown by its facts and the number of its records. */
function entryContent(entry: LogEntry): unknown {
  switch (entry.kind) {
    case 'column':
    case 'columnPart': {
      const { column, ...part } = entry.kind === 'column' ? { column: entry.column } : entry.part;
      const { nodeId, ownerId, workspaceId, sourceId, writeMode, notifyOn, modifiedMs, username, timestamps } = column;
      const time = (index: number) => {
        const ms = timestamps.at(index);
        return ms === undefined ? null : formatIsoMs(ms);
      };
      return {
        kind: entry.kind,
        ...part,
        nodeId,
        ownerId,
        workspaceId,
        sourceId,
        username,
        writeMode: nameIn(WriteMode, writeMode),
        notifyOn: nameIn(NotifyOn, notifyOn),
        written: formatIsoMs(modifiedMs),
        records: timestamps.length,
        first: time(0),
        last: time(-1),
      };
    }
    case 'seriesDelete':
      return { kind: entry.kind, ...entry.seriesDelete };
    case 'nodesDelete':
      return { kind: entry.kind, ...entry.nodesDelete };
    case 'acquisition':
      return { kind: entry.kind, ...entry.acquisition };
  }
}

const nameIn = (names: Readonly<Record<string, unknown>>, value: unknown): unknown =>
  Object.keys(names).find((name) => names[name] === value) ?? value;
