import type { GatheredAnswer, GatheredCall, RunRequest, RunResponse } from '@catchment/contracts/calls';
import { DomainError, toDomainError } from '@catchment/errors';
import type { handleServerStreamingCall } from '@grpc/grpc-js';

/** What a call brings besides its request. */
export type IncomingCall = {
  readonly token: string;
  readonly requestId: string;
  readonly traceparent: string | undefined;
  readonly tracestate: string | undefined;
  /** Unix ms; Infinity without one. */
  readonly deadlineMs: number;
};

/** Runs one method's handler; bytes of its request in, of its response out. */
export type GatheredMethod = (request: Buffer, incoming: IncomingCall, signal: AbortSignal) => Promise<Buffer>;

/**
 * Calls that came together (proto/catchment/calls), each run as if it came alone. Answers that are there in the same turn of
 * the event loop leave together; none waits for another.
 */
export function answerGathered(
  methods: ReadonlyMap<string, GatheredMethod>,
): handleServerStreamingCall<RunRequest, RunResponse> {
  return (call) => {
    const { calls } = call.request;
    const aborted = new AbortController();
    let [open, isScheduled] = [calls.length, false];
    let answers: GatheredAnswer[] = [];
    const send = () => {
      isScheduled = false;
      call.write({ answers });
      answers = [];
      if (open === 0) call.end();
    };
    call.on('cancelled', () => {
      if (open > 0) aborted.abort(new DomainError('cancelled', 'CALLER_LEFT', 'The caller left'));
    });
    if (open === 0) call.end();
    for (const [index, one] of calls.entries()) {
      void resultOf(methods.get(one.path), one, aborted.signal).then((result) => {
        answers.push({ index, result });
        open -= 1;
        if (!isScheduled) setImmediate(send);
        isScheduled = true;
      });
    }
  };
}

async function resultOf(
  method: GatheredMethod | undefined,
  call: GatheredCall,
  signal: AbortSignal,
): Promise<GatheredAnswer['result']> {
  try {
    if (!method) throw new DomainError('unimplemented', 'NO_SUCH_METHOD', `There is no ${call.path}`);
    return { $case: 'response', value: await method(call.request, incomingOf(call), signal) };
  } catch (error) {
    const { kind, reason, message } = toDomainError(error);
    return { $case: 'failure', value: { kind, reason, message } };
  }
}

const incomingOf = ({ token, requestId, traceparent, tracestate, timeoutMs }: GatheredCall): IncomingCall => ({
  token,
  requestId: requestId || '-',
  traceparent: traceparent || undefined,
  tracestate: tracestate || undefined,
  deadlineMs: Date.now() + timeoutMs,
});
