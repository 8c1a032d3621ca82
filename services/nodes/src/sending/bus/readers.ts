import { type Bus, type BusMessage, decoded } from '@catchment/bus';
import { DeviceCallDue } from '@catchment/contracts/devices';
import { EventRecorded } from '@catchment/contracts/events';
import { AlarmTextDue, NotificationDue } from '@catchment/contracts/nodes-messages';
import type { MailSender } from '@catchment/mail';
import type { StoreDeps } from '../../changes/index.ts';
import type { UnsubscribeLinks } from '../../notifications/index.ts';
import { callDevice } from '../usecases/call-device.ts';
import { emailChannel, smsChannel } from '../usecases/channels.ts';
import { evaluateAlarmText } from '../usecases/evaluate-alarm-text.ts';
import type { AlarmTexts, Counts } from '../usecases/ports.ts';
import { type SendDeps, sendNotification } from '../usecases/send-notification.ts';
import type { SmsSender } from '../usecases/sms-sender.ts';
import { takeTransitions } from '../usecases/take-transitions.ts';

type SendingStore = AlarmTexts & Counts;

type SendingDeps = SendDeps &
  StoreDeps & {
    readonly unsubscribeLinks: UnsubscribeLinks;
    /** Links to nodes begin with this, without a slash at the end. */
    readonly appUrl: string;
    /** undefined = no mail server is configured. */
    readonly mailSender: MailSender | undefined;
    /** undefined = no gateway is configured. */
    readonly smsSender: SmsSender | undefined;
  };

/** Follows the event log for transitions, and works off what is to be sent, until stopped. */
export function startSending(store: SendingStore, bus: Bus, deps: SendingDeps): { stop(): Promise<void> } {
  const ageOf = ({ timeMs }: BusMessage): number => deps.now() - timeMs;
  const [email, sms] = [emailChannel(deps, deps.mailSender), smsChannel(deps.smsSender)];
  const configured = { email: deps.mailSender !== undefined, sms: deps.smsSender !== undefined };
  const readers = [
    bus.readDomain('nodes-transitions', (messages) =>
      takeTransitions(
        store,
        { ...deps, configured },
        messages.map((message) => decoded(EventRecorded, message)),
      ),
    ),
    bus.readQueue('nodes-emails', (message) =>
      sendNotification(store, deps, email, decoded(NotificationDue, message), ageOf(message)),
    ),
    bus.readQueue('nodes-texts', (message) =>
      evaluateAlarmText(store, deps, decoded(AlarmTextDue, message), ageOf(message)),
    ),
    bus.readQueue('nodes-calls', (message) =>
      callDevice(store, deps, deps.smsSender, decoded(DeviceCallDue, message), ageOf(message)),
    ),
    bus.readQueue('nodes-sms', (message) =>
      sendNotification(store, deps, sms, decoded(NotificationDue, message), ageOf(message)),
    ),
  ];
  return { stop: async () => void (await Promise.all(readers.map((reader) => reader.stop()))) };
}
