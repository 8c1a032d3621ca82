import type { Bus, BusMessage } from '@catchment/bus';
import { EventRecorded } from '@catchment/contracts/events';
import { NodesDeleted } from '@catchment/contracts/nodes-messages';
import { DomainError } from '@catchment/errors';
import { checkedEvent } from '../domain/event.ts';
import type { EventStore } from '../usecases/ports.ts';

/** Follows what the services record and which nodes are deleted; both idempotent, in any order. */
export function readEvents(bus: Bus, events: EventStore): { stop(): Promise<void> } {
  const readers = [
    bus.readDomain('events-recorded', async (messages) => {
      await events.record(messages.map((message) => checkedEvent(decoded(EventRecorded, message))));
    }),
    bus.readDomain('events-nodes', async (messages) => {
      const nodeIds = messages.flatMap((message) => decoded(NodesDeleted, message).nodes.map((node) => node.nodeId));
      await events.forgetNodes(nodeIds);
    }),
  ];
  return { stop: async () => void (await Promise.all(readers.map((reader) => reader.stop()))) };
}

/** @throws DomainError invalid_argument: bytes that are no such message will never become one */
function decoded<T>(type: { decode(data: Uint8Array): T }, message: BusMessage): T {
  try {
    return type.decode(message.data);
  } catch (error) {
    throw new DomainError('invalid_argument', 'MESSAGE_UNREADABLE', `message: of ${message.subject} is unreadable`, {
      cause: error,
    });
  }
}
