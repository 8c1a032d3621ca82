import { type Bus, decoded } from '@catchment/bus';
import { EventRecorded } from '@catchment/contracts/events';
import { NodesDeleted } from '@catchment/contracts/nodes-messages';
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
