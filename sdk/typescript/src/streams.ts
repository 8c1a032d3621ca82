import type { Calls } from './calls.ts';
import { CatchmentError, errorOf } from './errors.ts';
import { lost, retryAfterOf, waitAfter } from './retry.ts';

export type StreamOptions = {
  /** Goes on behind a message: its `id`. */
  readonly after?: string | undefined;
  /** Ends the stream. */
  readonly signal?: AbortSignal | undefined;
  /** Is called with each place that the stream has come to, also where nothing has happened: what `after` of another call goes on behind. */
  readonly onPlace?: ((id: string) => void) | undefined;
};
export type Message = { readonly kind: string; readonly data: unknown; readonly id: string | undefined };

/** A stream that is silent has a heartbeat each 15 s. */
const SILENT_MS = 50_000;
/** A message is at most this long; Catchment sends none that is longer. */
const MESSAGE_MAX_CHARACTERS = 32 * 1024 * 1024;

/** Messages without an end: what is lost with a connection comes by the next one. */
export async function* follow(
  { open, retry }: Calls,
  path: string,
  query: Readonly<Record<string, string | undefined>>,
  { after, signal, onPlace }: StreamOptions,
): AsyncGenerator<Message, void, undefined> {
  let lastId = after;
  for (let failures = 0; ; ) {
    let failure: CatchmentError | undefined;
    let pause: number | undefined;
    const silence = new AbortController();
    const hear = alarm(() => silence.abort());
    try {
      const both = signal ? AbortSignal.any([signal, silence.signal]) : silence.signal;
      const response = await open(path, query, { lastId, signal: both });
      if (!isStream(response)) failure = await errorOf(response, retryAfterOf(response.headers, retry.now()));
      else {
        failures += 1;
        for await (const block of blocksOf(response.body, hear)) {
          signal?.throwIfAborted();
          if (block.isHeartbeat || block.data.length > 0) failures = 0;
          if (block.retryMs !== undefined) pause = block.retryMs / 1_000;
          if (block.kind === 'end') break;
          if (block.id !== undefined) lastId = block.id;
          if (block.data.length > 0) yield { kind: block.kind, data: JSON.parse(block.data.join('\n')), id: lastId };
          if (block.id !== undefined) onPlace?.(block.id);
        }
      }
    } catch (error) {
      signal?.throwIfAborted();
      failure = lost(error);
    } finally {
      hear.stop();
      silence.abort();
    }
    if (failure) failures += 1;
    if (failure) await retry.sleep(waitAfter(failure, Math.max(1, failures), retry), signal);
    else
      await retry.sleep(
        pause ?? (failures > 0 ? waitAfter(ENDED, Math.min(failures, retry.tries - 1), retry) : 0),
        signal,
      );
  }
}

/** A stream ended without a word. */
const ENDED = new CatchmentError('the stream ended', { kind: 'transport' });

const isStream = (response: Response): response is Response & { body: ReadableStream<Uint8Array> } =>
  response.status === 200 &&
  response.body !== null &&
  (response.headers.get('content-type') ?? '').startsWith('text/event-stream');

/** Rings when it was not heard of for too long. */
function alarm(ring: () => void) {
  let timer = setTimeout(ring, SILENT_MS);
  const hear = () => {
    clearTimeout(timer);
    timer = setTimeout(ring, SILENT_MS);
  };
  return Object.assign(hear, { stop: () => clearTimeout(timer) });
}

type Block = { kind: string; data: string[]; id?: string; retryMs?: number; isHeartbeat: boolean };

async function* blocksOf(body: ReadableStream<Uint8Array>, hear: () => void): AsyncGenerator<Block, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      hear();
      const parts = (rest + decoder.decode(value, { stream: true })).split(/\r?\n\r?\n/);
      rest = parts.pop() ?? '';
      if (rest.length > MESSAGE_MAX_CHARACTERS)
        throw new CatchmentError('the stream has a message without an end', { kind: 'unexpected' });
      for (const part of parts) yield blockOf(part);
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

function blockOf(text: string): Block {
  const block: Block = { kind: 'message', data: [], isHeartbeat: false };
  for (const line of text.split(/\r?\n/)) {
    // A text may have signs that a pattern takes for the end of a line.
    const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (line.startsWith(':')) block.isHeartbeat = true;
    else if (name === 'event') block.kind = value;
    else if (name === 'data') block.data.push(value);
    else if (name === 'id') block.id = value;
    else if (name === 'retry' && /^\d+$/.test(value)) block.retryMs = Number(value);
  }
  return block;
}
