import type { Transport } from '../../domain/classes/transport.ts';
import type { Peers } from './facts.ts';

/** A source shares this way with others: the fields of its transport are the same in theirs. */
export type Way = { readonly by: Peers['by']; readonly fields: Readonly<Record<string, string>> };

/** Others can have these in common, the closest first: a device, then a server, then the way by which they send. */
const SHARED: readonly (readonly [by: Peers['by'], field: string])[] = [
  ['DEVICE', 'deviceId'],
  ['DEVICE', 'meshliumId'],
  ['SERVER', 'host'],
  ['SERVER', 'endpoint'],
  ['SERVER', 'bucket'],
];

/** @returns undefined: the source has no transport, and shares nothing */
export function wayOf(transport: Transport): Way | undefined {
  if (transport.class === 'None') return undefined;
  for (const [by, field] of SHARED) {
    const value = transport[field];
    if (typeof value === 'string' && value !== '')
      return { by, fields: by === 'DEVICE' ? { [field]: value } : { class: transport.class, [field]: value } };
  }
  return { by: 'TRANSPORT', fields: { class: transport.class } };
}
