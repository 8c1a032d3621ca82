import type { Queryable } from '@catchment/pg';
import { touchOwners } from '../changes/index.ts';
import { startSending as sendingOn } from './bus/readers.ts';
import type { ChannelName } from './domain/channel-name.ts';
import { saveText } from './store/pg-alarm-texts.ts';
import { countMessages, forgetSent, takeEvents } from './store/pg-sent.ts';
import { lockFamilies, saveCounts, uncountSms } from './store/pg-sms-usage.ts';
import { callDevice as call } from './usecases/call-device.ts';
import { evaluateAlarmText as evaluate } from './usecases/evaluate-alarm-text.ts';
import * as queue from './usecases/queue-deliveries.ts';
import { sendMessage as sendBy } from './usecases/send-message.ts';
import { sendNotification as notify } from './usecases/send-notification.ts';
import { takeTransitions as take } from './usecases/take-transitions.ts';

export { httpSmsSender } from './clients/http-sms-sender.ts';
export { readSmsSettings } from './clients/sms-settings.ts';
export { NOT_CONFIGURED } from './domain/channel-name.ts';
export { pageOfNode } from './domain/page-of-node.ts';
export { readerOf } from './domain/reader.ts';
export { monthOf, smsLimitOf, smsUsed } from './domain/sms-limit.ts';
export { PREVIEWED_MESSAGE, WRITTEN_MESSAGE } from './domain/written-message.ts';
export { forgetSent, takeEvents } from './store/pg-sent.ts';
export { type Recipient, recipientsOf } from './store/recipients-query.ts';
export { isTaken } from './store/sent-query.ts';
export { smsMonths } from './store/sms-usage-query.ts';
export { mailFailureOf } from './usecases/channels.ts';
export { limitMail } from './usecases/limit-mails.ts';

export { previewMessage } from './usecases/preview-message.ts';
export type { MessageDeps } from './usecases/send-message.ts';
export { tryToSend, whyOf } from './usecases/try-to-send.ts';
export { unsubscribeHeaders } from './usecases/unsubscribe-headers.ts';

const store = { takeEvents, countMessages, forgetSent, saveCounts, lockFamilies, uncountSms, saveText, touchOwners };

export const startSending = sendingOn.bind(undefined, store);

// These use cases work on the tables of this room.
export const callDevice = call.bind(undefined, store);
export const evaluateAlarmText = evaluate.bind(undefined, store);
export const sendMessage = sendBy.bind(undefined, store);
export const sendNotification = notify.bind(undefined, store);
export const takeTransitions = take.bind(undefined, store);

/** See `withinHourlyLimit` of queue-deliveries.ts. */
export const withinHourlyLimit = <D extends Pick<queue.Delivery, 'channel' | 'to'>>(
  tx: Queryable,
  channel: ChannelName,
  all: readonly D[],
  nowMs: number,
): Promise<D[]> => queue.withinHourlyLimit(store, tx, channel, all, nowMs);
