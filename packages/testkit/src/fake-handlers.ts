import { DomainError } from '@catchment/errors';
import type { Handlers } from '@catchment/grpc';

/** Thrown at once: the answer of a stream is no promise. */
const refuse = (): never => {
  throw new DomainError('unimplemented', 'UNKNOWN_CALL', 'not part of this test');
};

/** Makes the handlers that a fake of a service has; its other calls are refused, as those of a newer version are. */
export function fakeHandlers<Definition extends object>(
  definition: Definition,
  handlers: Partial<Handlers<Definition>>,
): Handlers<Definition> {
  const refused = Object.fromEntries(Object.keys(definition).map((name) => [name, refuse]));
  return { ...refused, ...handlers } as Handlers<Definition>;
}
