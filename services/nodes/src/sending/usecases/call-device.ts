import type { DeviceCallDue } from '@catchment/contracts/devices';
import { appendOutbox, type OutboxMessage } from '@catchment/pg';
import { eventRecorded, readOwner } from '../../changes/index.ts';
import { NOT_CONFIGURED } from '../domain/channel-name.ts';
import { monthOf } from '../domain/sms-limit.ts';
import { isTaken } from '../store/sent-query.ts';
import { grantSms } from './grant-sms.ts';
import type { SentNotes, SmsUsage } from './ports.ts';
import type { SendDeps } from './send-notification.ts';
import { type SmsSender, smsFailureOf } from './sms-sender.ts';
import { tryToSend, whyOf } from './try-to-send.ts';

type CallStore = SentNotes & SmsUsage;
type CallDeps = Pick<SendDeps, 'database' | 'now' | 'log'>;

/**
 * One try to ask a device by SMS to connect (docs/reference/devices.md#calling-a-device). The SMS counts as any other of the account;
 * the source has an event about what became of it.
 * @param sender undefined = no gateway is configured
 * @param ageMs since it was asked for
 * @throws RetryAfter when it is to be tried again
 */
export async function callDevice(
  store: CallStore,
  deps: CallDeps,
  sender: SmsSender | undefined,
  due: DeviceCallDue,
  ageMs: number,
): Promise<void> {
  const { callId, deviceKey, phoneNumber: to } = due;
  if (await isTaken(deps.database, endOf(due))) return;
  if (!sender) return end(store, deps, due, NOT_CONFIGURED.sms);
  if (!(await isGranted(store, deps, due))) return end(store, deps, due, 'the account has no SMS left in this month');
  const facts = await tryToSend(
    'sms',
    () => sender.send({ id: callId, to, text: `CALL ${deviceKey}` }),
    smsFailureOf,
    ageMs,
  );
  deps.log.info({ callId, ageMs, ...facts }, facts ? 'call of a device failed' : 'device called');
  await end(store, deps, due, facts && whyOf(facts));
}

const countOf = ({ callId }: DeviceCallDue): string => `${callId} counted`;
const endOf = ({ callId }: DeviceCallDue): string => `${callId} ended`;

/** Counts the SMS at the first try. @returns false: its account may send none */
async function isGranted(store: CallStore, { database, now }: CallDeps, due: DeviceCallDue): Promise<boolean> {
  if (await isTaken(database, countOf(due))) return true;
  const { ownerId, timeMs } = due;
  return database.transaction(async (tx) => {
    const owner = await readOwner(tx, ownerId);
    if (owner.status !== 'ACTIVE') return false;
    const granted = await grantSms(store, tx, new Map([[ownerId, 1]]), timeMs);
    if (!granted.get(ownerId)) return false;
    await store.takeEvents(tx, [countOf(due)], now());
    return true;
  });
}

/** Reports what became of the call, once. @param failure why it was not sent: then it does not count */
async function end(
  { takeEvents, uncountSms }: CallStore,
  { database, now }: CallDeps,
  due: DeviceCallDue,
  failure: string | undefined,
): Promise<void> {
  const { ownerId, timeMs } = due;
  await database.transaction(async (tx) => {
    const nowMs = now();
    if ((await takeEvents(tx, [endOf(due)], nowMs)).size === 0) return;
    if (failure !== undefined && (await isTaken(tx, countOf(due)))) await uncountSms(tx, ownerId, monthOf(timeMs));
    await appendOutbox(tx, [eventOf(due, failure, nowMs)]);
  });
}

const eventOf = (due: DeviceCallDue, failure: string | undefined, timeMs: number): OutboxMessage =>
  eventRecorded(due.ownerId, {
    nodeId: due.sourceId,
    nodeClass: due.sourceClass,
    workspaceId: due.workspaceId,
    timeMs,
    level: failure === undefined ? 'INFO' : 'WARNING',
    eventType: 'ACQUISITION',
    username: 'System',
    message:
      failure === undefined
        ? `Device ${due.deviceKey} called by SMS`
        : `Device ${due.deviceKey} was not called by SMS: ${failure}`,
  });
