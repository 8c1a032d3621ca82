import { headers, type MsgHdrs } from '@nats-io/transport-node';

/** A backup keeps a message of a stream like this. */
export type CopiedMessage = {
  readonly sequence: number;
  /** Subject without the installation's prefix. */
  readonly subject: string;
  /** All of them, names and values, also those of the broker. */
  readonly headers: readonly (readonly [string, string])[];
  readonly data: Uint8Array;
};

/** Lists the headers in their order. */
export function headerList(from: MsgHdrs | undefined): [string, string][] {
  const list: [string, string][] = [];
  for (const name of from?.keys() ?? []) for (const value of from?.values(name) ?? []) list.push([name, value]);
  return list;
}

/**
 * Headers to publish a message with again. What the broker would check against its state is left out: two messages may have the same id that
 * came at different times, and the second one would be refused as a duplicate. No reader looks at it.
 */
export function headersOf(list: CopiedMessage['headers']): MsgHdrs {
  const made = headers();
  for (const [name, value] of list)
    if (!name.startsWith('Nats-Expected') && name !== 'Nats-Msg-Id') made.append(name, value);
  return made;
}
