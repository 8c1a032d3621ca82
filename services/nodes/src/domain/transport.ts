import type { ClassNames } from './node-class.ts';
import { invalidAttribute, isJsonObject, type JsonObject } from './rule.ts';

/** How data comes to a source (semantics 12.4), as stored: the class without prefix. */
export type Transport = { readonly class: 'None' } | { readonly class: 'Scout'; readonly deviceId: string };

export const NO_TRANSPORT: Transport = { class: 'None' };
const KNOWN = ['None', 'Scout'] as const;
const DEVICE_KEY = /^(\d{15}|\d{12})$/;

/** The `transport` of a body; null resets to None. @throws DomainError invalid_argument */
export function readTransport(value: unknown, names: ClassNames): Transport {
  if (value === null) return NO_TRANSPORT;
  if (!isJsonObject(value)) throw invalidAttribute('transport', 'must be an object');
  const stored = names.stored(value._class);
  const known = KNOWN.find((one) => stored === `transport.${one}`);
  if (!known) {
    const choices = KNOWN.map((one) => names.full(`transport.${one}`)).join(', ');
    throw invalidAttribute('transport._class', `must be one of ${choices}`);
  }
  if (known === 'None') return NO_TRANSPORT;
  if (typeof value.deviceId !== 'string' || !DEVICE_KEY.test(value.deviceId))
    throw invalidAttribute('transport.deviceId', 'must be a device key: 15 digits (IMEI) or 12 digits');
  return { class: 'Scout', deviceId: value.deviceId };
}

/** The public object. */
export const transportView = (transport: Transport, names: ClassNames): JsonObject => ({
  _class: names.full(`transport.${transport.class}`),
  ...(transport.class === 'Scout' && { deviceId: transport.deviceId }),
});
