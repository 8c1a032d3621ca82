import { DomainError } from '@catchment/errors';
import type { BusMessage } from './delivered.ts';

/**
 * The content of a message.
 * @throws DomainError invalid_argument: bytes that are no such message will never become one, so it is a dead letter at once
 */
export function decoded<T>(
  type: { decode(data: Uint8Array): T },
  { subject, data }: Pick<BusMessage, 'subject' | 'data'>,
): T {
  try {
    return type.decode(data);
  } catch (error) {
    throw new DomainError('invalid_argument', 'MESSAGE_UNREADABLE', `message: of ${subject} is unreadable`, {
      cause: error,
    });
  }
}
