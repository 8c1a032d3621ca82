import { Allowance, type Limits } from './remote-limits.ts';

/**
 * An answer as text. What comes after the limit is not read, and its connection ends.
 * @param body of a `Response`, or any pieces
 * @throws LimitReached
 */
export async function textWithin(body: AsyncIterable<Uint8Array> | null, limits: Limits): Promise<string> {
  using allowance = new Allowance(limits);
  const decoder = new TextDecoder();
  let text = '';
  for await (const piece of allowance.passing(body ?? nothing())) text += decoder.decode(piece, { stream: true });
  return text + decoder.decode();
}

async function* nothing(): AsyncGenerator<Uint8Array> {}
