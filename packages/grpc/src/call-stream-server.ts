import type { handleBidiStreamingCall } from '@grpc/grpc-js';
import { callerLeft } from './call-ends.ts';
import type { IncomingCall } from './call-runner.ts';
import type { CallsMessage, Outcome, OutcomesMessage, StreamedCall } from './call-stream.ts';
import { toFailure } from './grpc-errors.ts';

export type RunCall = (name: string | undefined, call: IncomingCall) => Promise<unknown>;

/** Answers of one message, about: the largest single one fits besides (`MAX_MESSAGE_BYTES`). */
const MESSAGE_BYTES = 1024 * 1024;

/** Calls of a stream that are under way at a time; no more of it is read meanwhile. */
const MAX_OPEN = 1_024;

/**
 * Runs the calls of a stream, each as if it came alone. Answers that are there in the same turn of the event loop leave together; none
 * waits for another. A client that takes no answers is read no further.
 * @param closing once aborted, no further call is begun; the stream ends when those that were are answered
 */
export function answerCalls(
  run: RunCall,
  closing: AbortSignal,
): handleBidiStreamingCall<CallsMessage, OutcomesMessage> {
  return (stream) => {
    const left = new AbortController();
    let outcomes: Outcome[] = [];
    let outcomeBytes = 0;
    let [open, isScheduled, isFull, isOver] = [0, false, false, false];

    const write = () => {
      if (outcomes.length > 0) isFull = !stream.write({ outcomes });
      [outcomes, outcomeBytes] = [[], 0];
    };
    const send = () => {
      isScheduled = false;
      write();
      if (isOver && open === 0) {
        closing.removeEventListener('abort', finish);
        stream.end();
      } else read();
    };
    const schedule = () => {
      if (!isScheduled) setImmediate(send);
      isScheduled = true;
    };
    const read = () => {
      if (isFull || isOver || open >= MAX_OPEN) stream.pause();
      else stream.resume();
    };
    const finish = () => {
      isOver = true;
      schedule();
    };

    stream.on('data', ({ calls }) => {
      // Arrived before the pause took hold: the client sends them again, since they are not answered.
      if (isOver) return;
      for (const call of calls) {
        open += 1;
        void outcomeOf(call, run, left.signal).then((outcome) => {
          open -= 1;
          const sizeBytes = sizeOf(outcome);
          if (outcomeBytes + sizeBytes > MESSAGE_BYTES) write();
          outcomes.push(outcome);
          outcomeBytes += sizeBytes;
          schedule();
        });
      }
      read();
    });
    stream.on('drain', () => {
      isFull = false;
      read();
    });
    stream.on('end', finish);
    // Calls under way continue: they may be in the log already. No caller is left.
    stream.on('error', finish);
    stream.on('cancelled', () => {
      left.abort(callerLeft());
      finish();
    });
    closing.addEventListener('abort', finish, { once: true });
    if (closing.aborted) finish();
  };
}

/** Returns the approximate size of an answer: a document counts its text, and other answers are small. */
function sizeOf({ result }: Outcome): number {
  const json = result?.$case === 'response' ? (result.value as { json?: unknown }).json : undefined;
  return json instanceof Uint8Array ? json.length : 0;
}

async function outcomeOf(call: StreamedCall, run: RunCall, signal: AbortSignal): Promise<Outcome> {
  const { id, head, request } = call;
  const incoming = {
    request: request?.value,
    token: head?.token ?? '',
    requestId: head?.requestId || '-',
    traceparent: head?.traceparent || undefined,
    tracestate: head?.tracestate || undefined,
    deadlineMs: Date.now() + (head?.timeoutMs ?? 0),
    signal,
  };
  try {
    return { id, result: { $case: 'response', value: await run(request?.$case, incoming) } };
  } catch (error) {
    return { id, result: { $case: 'failure', value: { retryAfterSeconds: undefined, ...toFailure(error) } } };
  }
}
