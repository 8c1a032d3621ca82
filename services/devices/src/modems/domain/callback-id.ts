/** A call-back logger's identification has at most this (docs/reference/devices.md#connections). */
export const CALLBACK_ID_MAX_BYTES = 64;

export type CallbackId = {
  readonly deviceKey: string;
  /** Absent: none was sent. */
  readonly secret?: string;
  /** These bytes belong to the pipe already. */
  readonly rest: Uint8Array;
};

const LINE = /^[^0-9]*(?<key>\d{15}|\d{12})(?:[ \t,;:](?<secret>[\x21-\x7e]{1,48}))?[ \t]*$/;
const PACKET = /(?<!\d)(?:\d{15}|\d{12})(?!\d)/;

/**
 * Returns the device key that a logger sends first: a line, or a packet that holds it among other bytes. A line may have the secret of the
 * device after the key.
 * @param isPacketOver nothing followed for a moment: what came is a packet
 * @returns 'more' while it may still come; undefined: it is none
 */
export function callbackIdIn(bytes: Uint8Array, isPacketOver: boolean): CallbackId | 'more' | undefined {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, CALLBACK_ID_MAX_BYTES)).toString(
    'latin1',
  );
  const end = text.search(/[\r\n]/);
  if (end >= 0) {
    const { key = '', secret } = LINE.exec(text.slice(0, end))?.groups ?? {};
    // CR LF is one end of a line; a CR alone is one too.
    const after = text[end] === '\r' && text[end + 1] === '\n' ? end + 2 : end + 1;
    if (key !== '') return { deviceKey: key, ...(secret !== undefined && { secret }), rest: bytes.subarray(after) };
  }
  if (isPacketOver || end >= 0) {
    const found = PACKET.exec(text);
    return found ? { deviceKey: found[0], rest: new Uint8Array() } : undefined;
  }
  return bytes.length >= CALLBACK_ID_MAX_BYTES ? undefined : 'more';
}
