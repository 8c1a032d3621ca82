import { currentRequestId, injectTrace } from '@catchment/telemetry';
import { JetStreamApiError, JetStreamError } from '@nats-io/jetstream';
import { headers, type Msg, type MsgHdrs } from '@nats-io/transport-node';

/** The number of a partition is no name: OpenTelemetry has templates for such destinations. */
export const templateOf = (subject: string): string => subject.replace(/\.\d+$/, '.{partition}');

/** Describes a message in the span of its way to the broker. */
export const publishAttributes = (subject: string) => ({
  'messaging.system.name': 'nats',
  'messaging.operation.name': 'publish',
  'messaging.operation.type': 'send',
  'messaging.destination.name': subject,
  ...(templateOf(subject) !== subject && { 'messaging.destination.template': templateOf(subject) }),
});

/** Reads where a message is stored. @throws JetStreamApiError why it is not */
export function storedAt(answer: Msg): { sequence: number; duplicate: boolean } {
  const { seq, duplicate = false, error } = answer.json<StoreAnswer>();
  if (error) throw new JetStreamApiError(error);
  if (seq === undefined) throw new JetStreamError('the answer does not say where the message is stored');
  return { sequence: seq, duplicate };
}

type StoreAnswer = {
  readonly seq?: number;
  readonly duplicate?: boolean;
  readonly error?: ConstructorParameters<typeof JetStreamApiError>[0];
};

/** Returns the headers of a message: its id, the trace and the request that it comes from. */
export function outgoingHeaders(msgId: string): MsgHdrs {
  const sent = headers();
  sent.set('Nats-Msg-Id', msgId);
  for (const [name, value] of Object.entries(injectTrace())) sent.set(name, value);
  const requestId = currentRequestId();
  if (requestId) sent.set('x-request-id', requestId);
  return sent;
}
