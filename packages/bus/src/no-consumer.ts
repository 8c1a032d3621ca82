import { JetStreamApiCodes, JetStreamApiError } from '@nats-io/jetstream';

/** The result of a call about a consumer that is not there; every other error goes on. */
export function noConsumer(error: unknown): undefined {
  if (!isNoConsumer(error)) throw error;
}

export const isNoConsumer = (error: unknown): boolean =>
  error instanceof JetStreamApiError && error.code === JetStreamApiCodes.ConsumerNotFound;
