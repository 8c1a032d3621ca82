import { ByteReader, ByteWriter } from './bytes.ts';

/** BMP5 Transparent Commands 1.3. */
export const LINK_STATE = { offline: 8, ring: 9, ready: 10, finished: 11, pause: 12 } as const;
export const EXPECT = { last: 0, more: 1, neutral: 2, reverse: 3 } as const;
export const PROTOCOL = { control: 0, bmp5: 1 } as const;
/** This address reaches every node of a line. */
export const BROADCAST = 0xfff;

const HEADER_BYTES = 8;
const NORMAL_PRIORITY = 1;

/** Addresses have 12 bits. `neighbour` is the next node of the line, `node` the one at the far end. */
export type Packet = {
  readonly linkState: number;
  readonly expect: number;
  readonly to: { readonly neighbour: number; readonly node: number };
  readonly from: { readonly neighbour: number; readonly node: number };
  readonly protocol: number;
  readonly hops: number;
  /** Absent: the packet is about the link only. */
  readonly message?: Message;
};

export type Message = {
  readonly type: number;
  /** The number is the same in a command and its response. */
  readonly transaction: number;
  readonly body: Uint8Array;
};

export function encodePacket({ linkState, expect, to, from, protocol, hops, message }: Packet): Uint8Array {
  const header = new ByteWriter()
    .uint2((linkState << 12) | to.neighbour)
    .uint2((expect << 14) | ((message ? NORMAL_PRIORITY : 0) << 12) | from.neighbour);
  if (!message) return header.done();
  return header
    .uint2((protocol << 12) | to.node)
    .uint2((hops << 12) | from.node)
    .uint1(message.type)
    .uint1(message.transaction)
    .bytes(message.body)
    .done();
}

/** @throws PakBusError */
export function decodePacket(bytes: Uint8Array): Packet {
  const reader = new ByteReader(bytes);
  const [first, second] = [reader.uint2(), reader.uint2()];
  const link = { linkState: first >> 12, expect: second >> 14 };
  const [to, from] = [first & 0xfff, second & 0xfff];
  if (bytes.length < HEADER_BYTES) {
    const ends = { to: { neighbour: to, node: to }, from: { neighbour: from, node: from } };
    return { ...link, ...ends, protocol: PROTOCOL.control, hops: 0 };
  }
  const [third, fourth] = [reader.uint2(), reader.uint2()];
  return {
    ...link,
    to: { neighbour: to, node: third & 0xfff },
    from: { neighbour: from, node: fourth & 0xfff },
    protocol: third >> 12,
    hops: fourth >> 12,
    ...(reader.left > 0 && { message: { type: reader.uint1(), transaction: reader.uint1(), body: reader.rest() } }),
  };
}
