/**
 * These fields identify a frame of a LoRaWAN device: a network may hand a frame over more than once, each time with
 * another time.
 */
export type UplinkFrame = {
  /** EUI, or the network's name. */
  readonly device: string;
  /** The network reports this about the session that a join begins; empty: nothing. */
  readonly session: string;
  readonly counter: number;
  /** The digest is of port and payload; undefined: the payload was not sent. */
  readonly digest: Uint8Array | undefined;
  /** Unix ms. */
  readonly timeMs: number;
};
