import { type Bus, type BusMessage, decoded } from '@catchment/bus';
import { EventRecorded } from '@catchment/contracts/events';
import { NotificationDue } from '@catchment/contracts/nodes-messages';
import { type SendDeps, sendEmail } from '../usecases/send-email.ts';
import { takeTransitions } from '../usecases/take-transitions.ts';

/** Follows the event log for transitions, and works off what is to be sent, until stopped. */
export function startSending(bus: Bus, deps: SendDeps): { stop(): Promise<void> } {
  const ageOf = ({ timeMs }: BusMessage): number => deps.now() - timeMs;
  const readers = [
    bus.readDomain('nodes-transitions', (messages) =>
      takeTransitions(
        deps,
        messages.map((message) => decoded(EventRecorded, message)),
      ),
    ),
    bus.readQueue('nodes-emails', (message) => sendEmail(deps, decoded(NotificationDue, message), ageOf(message))),
  ];
  return {
    stop: async () => {
      await Promise.all(readers.map((reader) => reader.stop()));
      deps.sender?.close();
    },
  };
}
