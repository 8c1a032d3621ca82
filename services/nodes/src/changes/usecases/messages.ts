import { EventRecorded } from '@catchment/contracts/events';
import { AccountChanged, KeyChanged } from '@catchment/contracts/nodes-messages';
import { newObjectId } from '@catchment/ids';
import type { OutboxMessage } from '@catchment/pg';
import { cutMessage, type NodeEvent } from '../domain/node-event.ts';

export type Cause = { readonly timeMs: number; readonly username: string };

/** Returns a line of the event log; an event without node id is the account's. */
export const eventRecorded = (ownerId: string, event: NodeEvent): OutboxMessage => ({
  subject: 'events.event.recorded.v1',
  data: EventRecorded.encode(
    EventRecorded.fromPartial({
      ...event,
      eventId: newObjectId(event.timeMs),
      ownerId,
      alarmState: 'NONE',
      message: cutMessage(event.message),
    }),
  ).finish(),
});

type EventNode = {
  readonly nodeId: string;
  readonly ownerId: string;
  readonly workspaceId: string;
  readonly class: string;
};

/** Makes a line of the event log about a node. */
export const nodeEvent = (
  { nodeId, ownerId, workspaceId, class: nodeClass }: EventNode,
  message: string,
  cause: Cause,
  eventType: 'CONFIGURATION' | 'CONTROL' | 'SECURITY' = 'CONFIGURATION',
): OutboxMessage =>
  eventRecorded(ownerId, { nodeId, workspaceId, nodeClass, level: 'INFO', eventType, message, ...cause });

/** Makes a line of the event log about the account itself. */
export const accountEvent = (
  ownerId: string,
  eventType: 'CONFIGURATION' | 'SECURITY',
  message: string,
  cause: Cause,
): OutboxMessage =>
  eventRecorded(ownerId, { nodeId: '', workspaceId: '', nodeClass: '', level: 'INFO', eventType, message, ...cause });

/** Makes the services that cache the key forget it. @param keySha256 32 bytes */
export const keyChanged = (keySha256: Uint8Array): OutboxMessage => ({
  subject: 'nodes.key.changed.v1',
  data: KeyChanged.encode(KeyChanged.fromPartial({ keySha256: Buffer.from(keySha256) })).finish(),
});

/** Reports to the services that work for an account by themselves whether they still may. */
export const accountChanged = (ownerId: string, status: 'ACTIVE' | 'DISABLED' | 'DELETED'): OutboxMessage => ({
  subject: 'nodes.account.changed.v1',
  data: AccountChanged.encode({ ownerId, status }).finish(),
});

export type DeletedKey = {
  readonly ownerId: string;
  readonly label: string;
  readonly email: string;
  readonly sha256: Buffer;
};

/** Messages and events of keys that have been deleted. */
export const keysDeleted = (gone: readonly DeletedKey[], cause: Cause): OutboxMessage[] =>
  gone.flatMap(({ ownerId, label, email, sha256 }) => [
    keyChanged(sha256),
    accountEvent(ownerId, 'SECURITY', `Deleted API key '${label}' of ${email}`, cause),
  ]);
