import { DomainError, tooLarge } from '@catchment/errors';
import { FunctionFailed, type Sandbox } from './sandbox.ts';

/** LoRaWAN carries 242 bytes at the most; other networks a little more. */
const MAX_PAYLOAD_BYTES = 4_096;
const MAX_DECODER_CHARACTERS = 256 * 1024;
const MAX_RESULT_CHARACTERS = 256 * 1024;
const LIMIT_MS = 200;

export type Payload = {
  readonly ownerId: string;
  readonly decoder: string;
  readonly payload: Uint8Array;
  readonly fPort: number;
  /** Unix ms. */
  readonly timeMs: number;
};

/**
 * Returns what a person's decoder makes of a payload (docs/reference/iot.md#decoders).
 * @returns JSON object
 * @throws DomainError failed_precondition: what the decoder says or does; too_large
 */
export async function decodePayload(sandbox: Sandbox, given: Payload, signal: AbortSignal): Promise<string> {
  const { ownerId, decoder, payload, fPort, timeMs } = given;
  if (payload.length > MAX_PAYLOAD_BYTES || decoder.length > MAX_DECODER_CHARACTERS) throw tooLarge();
  const argument = JSON.stringify({ fPort, recvTime: new Date(timeMs).toISOString() });
  const call = { kind: 'decoder' as const, code: decoder, argument, bytes: payload, nowMs: timeMs, limitMs: LIMIT_MS };
  let text: string;
  try {
    [text = '{}'] = await sandbox.call(ownerId, call, signal);
  } catch (error) {
    if (!(error instanceof FunctionFailed)) throw error;
    throw refused(error.line === undefined ? error.message : `${error.message} (line ${error.line})`);
  }
  if (text.length > MAX_RESULT_CHARACTERS) throw refused('the result is too large');
  const { data, errors } = resultOf(text);
  if (Array.isArray(errors) && errors.length > 0) throw refused(errors.slice(0, 3).map(String).join('; '));
  if (typeof data !== 'object' || data === null || Array.isArray(data))
    throw refused('the result has no object `data`');
  return JSON.stringify(data);
}

/** A decoder may have changed what makes JSON of its result. */
function resultOf(text: string): { data?: unknown; errors?: unknown } {
  try {
    const result: unknown = JSON.parse(text);
    if (typeof result === 'object' && result !== null) return result;
  } catch {
    // Said below.
  }
  throw refused('the result is no JSON');
}

const refused = (message: string): DomainError =>
  new DomainError('failed_precondition', 'DECODER_FAILED', `decoder: ${message}`.slice(0, 500));
