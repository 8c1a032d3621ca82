import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiCaller, KeyedRequest } from '@catchment/access';
import type { DocumentChunk } from '@catchment/contracts/common';
import type { BeginRequestResponse, KeptAnswer, RequestTry } from '@catchment/contracts/requests';
import { DomainError, invalid } from '@catchment/errors';
import type { CallerSigner, CallOptions } from '@catchment/grpc';
import type { Logger } from '@catchment/telemetry';
import type { FastifyRequest } from 'fastify';
import type { Peers } from '../../usecases/ports.ts';
import { headPrint, keyPrint } from '../request/idempotency-key.ts';
import { readThrough } from '../request/receive-upload.ts';
import { printUpload } from '../request/upload-print.ts';
import { HttpProblem, problemBody, toProblem } from '../response/problem.ts';
import type { BytesAnswer, StreamAnswer } from '../response/send.ts';
import { type Answer, type ApiCall, apiCallOf, CALL_MS } from './api-call.ts';
import type { Operation } from './operation.ts';

/** An answer of this many bytes is kept; of a larger one it is only known that there was one. */
const KEPT_BYTES = 256 * 1024;
/** A request waits so long for another one with its key, which is under way. */
const WAIT_MS = 10_000;
const LOOK_EVERY_MS = 200;
const BUSY_RETRY_SECONDS = 5;
/** A try has ended within this time, unless this process has died: its calls, those of clones, those of uploads with their bodies. */
const HOLD_SECONDS = { plain: 90, stream: 12 * 60, upload: 25 * 60 } as const;

export type OnceDeps = { readonly requests: Peers['requests']; readonly signer: CallerSigner; readonly log: Logger };
type Asked = { readonly operation: Operation; readonly caller: ApiCaller; readonly key: string };

/** The answer of a request may be that of an earlier one. */
export type Once = { readonly answer: Answer; readonly isReplayed: boolean };

/**
 * Carries a request with a key out, or repeats the answer that it had
 * (docs/reference/requests-and-errors.md#repeated-requests). The answer is kept before it is sent. An operation that
 * has begun is brought to its end, even if the client leaves.
 * @throws whatever the operation throws; DomainError; HttpProblem 503 while another one with the key is under way
 */
export async function answerOnce(deps: OnceDeps, request: FastifyRequest, asked: Asked): Promise<Once> {
  const options = { token: await deps.signer.sign(asked.caller), timeoutMs: CALL_MS };
  const { requestId: id, state } = await begin(deps, request, asked, options);
  if (state?.$case === 'run') {
    const answer = await tryIt(deps, request, asked, { id, began: state.value });
    return { answer, isReplayed: false };
  }
  if (state?.$case !== 'answer') throw new DomainError('internal', 'INTERNAL', 'unknown state of a request with a key');
  return { answer: await repeated(request, asked.operation, state.value), isReplayed: true };
}

const isUpload = ({ body }: Operation): boolean => body === 'multipart' || body === 'file';

/** Returns whether what a try without an answer has done may be done again, or is known by whoever did it. */
function kindOf(request: FastifyRequest, { keyed }: Operation): 'again' | 'once' | 'unsure' {
  return keyed ?? (request.method === 'POST' ? 'unsure' : 'again');
}

async function begin(
  { requests }: OnceDeps,
  request: FastifyRequest,
  { operation, key }: Asked,
  options: CallOptions,
): Promise<BeginRequestResponse> {
  const { call } = request;
  const hold = isUpload(operation) ? 'upload' : operation.isLong ? 'stream' : 'plain';
  const asked = {
    keySha256: keyPrint(call.keyId, key),
    headSha256: headPrint(request),
    bodySha256: isUpload(operation) ? Buffer.alloc(0) : hash('sha256', call.body, 'buffer'),
    arrivalMs: call.arrivalMs,
    holdSeconds: HOLD_SECONDS[hold],
    isRepeatable: kindOf(request, operation) !== 'unsure',
  };
  const giveUpMs = performance.now() + WAIT_MS;
  for (;;) {
    const begun = await requests.beginRequest(asked, options);
    if (begun.state?.$case !== 'underWay') return begun;
    if (performance.now() > giveUpMs || call.signal.aborted) throw busy();
    await sleep(LOOK_EVERY_MS);
  }
}

const busy = (): HttpProblem =>
  new HttpProblem(503, 'IDEMPOTENCY_KEY_BUSY', {
    message: 'Service temporarily unavailable: the first request with this Idempotency-Key is still under way',
    headers: { 'retry-after': String(BUSY_RETRY_SECONDS) },
  });

type Try = { readonly id: string; readonly began: RequestTry };

async function tryIt(deps: OnceDeps, request: FastifyRequest, asked: Asked, { id, began }: Try) {
  const { operation, caller } = asked;
  const print = isUpload(operation) ? printUpload(request.raw) : undefined;
  // A client that leaves takes its body along.
  const ofBody = hash('sha256', request.call.body, 'buffer');
  const end = async (answer: Omit<KeptAnswer, 'bodySha256'> | undefined) => {
    const bodySha256 = print ? print.digest() : ofBody;
    const ended = { requestId: id, tryNumber: began.number, answer: answer && { ...answer, bodySha256 } };
    // Work that was done stays done, and is not done again: at the worst its answer is lost.
    const token = await deps.signer.sign(caller);
    await deps.requests
      .endRequest(ended, { token, timeoutMs: CALL_MS })
      .catch((err: unknown) => deps.log.warn({ err }, 'answer of a request with a key could not be kept'));
  };
  const keyed: KeyedRequest = { id, tryNumber: began.number, isOnce: kindOf(request, operation) === 'once' };
  try {
    const call = await apiCallOf(request, { ...caller, keyed }, deps.signer);
    const { answer, kept } = await whole(await operation.answer(certain(call, began)));
    await end(kept);
    return answer;
  } catch (error) {
    await end(keptProblem(error, operation));
    throw error;
  }
}

/** Makes a call that a client that leaves does not end, with the arrival of the first try. */
function certain(call: ApiCall, { arrivalMs }: RequestTry): ApiCall {
  const { signal: _left, ...options } = call.options;
  return {
    ...call,
    arrivalMs,
    options,
    streamOptions: (firstChunkMs) => {
      const { signal: _gone, ...streamed } = call.streamOptions(firstChunkMs);
      return streamed;
    },
  };
}

/** Returns an error that would come again; any other one is no answer. */
function keptProblem(error: unknown, { isSlowTooLarge }: Operation): Omit<KeptAnswer, 'bodySha256'> | undefined {
  const problem = toProblem(error, { isSlowTooLarge: isSlowTooLarge === true });
  if (problem.status >= 500 || problem.status === 429 || problem.reason === 'REQUEST_DONE') return undefined;
  return { status: problem.status, contentType: '', body: problemBody(problem) };
}

/** Returns an answer that can be kept before it is sent; of a stream the first part is held for that. */
async function whole(answer: Answer): Promise<{ answer: Answer; kept: Omit<KeptAnswer, 'bodySha256'> }> {
  if ('hub' in answer) throw new DomainError('internal', 'INTERNAL', 'a stream of events has no key');
  const { status = 200 } = answer;
  if ('bytes' in answer) {
    const body = answer.bytes.length > KEPT_BYTES ? undefined : Buffer.from(answer.bytes);
    return { answer, kept: { status, contentType: answer.contentType ?? '', body } };
  }
  return wholeStream(answer, status);
}

async function wholeStream(answer: StreamAnswer, status: number) {
  const chunks = answer.chunks[Symbol.asyncIterator]();
  const head: DocumentChunk[] = [];
  let bytes = 0;
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
    head.push(next.value);
    bytes += next.value.data.length;
    if (bytes > KEPT_BYTES) break;
  }
  async function* all() {
    yield* head;
    if (bytes > KEPT_BYTES)
      for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
  }
  const body = bytes > KEPT_BYTES ? undefined : Buffer.concat(head.map(({ data }) => data));
  return { answer: { ...answer, chunks: all() }, kept: { status, contentType: head[0]?.contentType ?? '', body } };
}

/** @throws DomainError invalid_argument where the upload is another one, or the answer was not kept */
async function repeated(request: FastifyRequest, operation: Operation, kept: KeptAnswer): Promise<BytesAnswer> {
  if (isUpload(operation)) {
    const print = printUpload(request.raw);
    await readThrough(request.raw, operation.body === 'file');
    if (!print.digest().equals(kept.bodySha256))
      throw invalid(
        'IDEMPOTENCY_KEY_REUSED',
        'Idempotency-Key: was sent with another file; each request needs a key of its own',
      );
  }
  if (kept.body === undefined)
    throw invalid(
      'ANSWER_LOST',
      'Idempotency-Key: the request with this key was carried out, but its answer was too large to be kept',
    );
  const { status, contentType, body } = kept;
  return { status, bytes: body, ...(contentType && { contentType }), caching: 'no-store' };
}
