import type { IncomingMessage } from 'node:http';
import type { ApiCaller } from '@catchment/access';
import type { DocumentChunk } from '@catchment/contracts/common';
import type { RevisionMatch } from '@catchment/contracts/nodes';
import { notFound } from '@catchment/errors';
import type { CallerSigner, CallOptions } from '@catchment/grpc';
import type { FastifyRequest } from 'fastify';
import { callerView } from '../../domain/caller-view.ts';
import { weakEtag } from '../../domain/negotiation.ts';
import { revisionsIn } from '../request/if-match.ts';
import { parseQuery, type QueryArguments, rawQueryOf } from '../request/query.ts';
import type { BytesAnswer, StreamAnswer } from '../response/send.ts';
import type { PushAnswer } from '../response/send-push.ts';

/** Deadline of calls to peers, other than reads of historic data. */
export const CALL_MS = 30_000;
/** A slow client may take this long for an answer after its first chunk. */
const TRANSFER_MS = 10 * 60_000;

/** A request has passed steps 1 to 8 when an operation sees it. */
export type ApiCall = {
  /** The decoded `:id` of the path; empty where there is none. */
  readonly id: string;
  /** The decoded `:deliveryId`, likewise. */
  readonly deliveryId: string;
  /** The decoded `:preference`, likewise. */
  readonly preference: string;
  readonly query: QueryArguments;
  readonly body: Buffer;
  /** Streams the body of an upload. */
  readonly raw: IncomingMessage;
  readonly caller: ApiCaller;
  /** Session of the person; undefined = a key has authenticated the caller. */
  readonly session: string | undefined;
  /** The caller's present rights: see CallState. */
  readonly currentCaller: () => Promise<ApiCaller>;
  /** Unix ms. */
  readonly arrivalMs: number;
  /** Returns the revisions of what is changed that the change is meant for. @throws DomainError invalid_argument */
  readonly ifMatch: () => RevisionMatch | undefined;
  /** Calls that answer at once take these. */
  readonly options: CallOptions;
  /** Makes options for a call that answers a stream whose first chunk comes within `firstChunkMs`. */
  streamOptions(firstChunkMs: number): CallOptions;
  /**
   * Returns the validator of a list: what the caller may see, the question, and the revision of the data
   * (docs/reference/requests-and-errors.md#conditional-requests).
   */
  listEtag(revision: string): string;
};

/** Options of a call that does not end when the client leaves: its effect must be known for certain. */
const certainOptions = async (caller: ApiCaller, signer: CallerSigner): Promise<CallOptions> => ({
  token: await signer.sign(caller),
  timeoutMs: CALL_MS,
});

/** The calls of an upload have these options, and may take long. */
export type UploadOptions = {
  /** Each step has the caller's present rights. */
  readonly step: () => Promise<CallOptions>;
  /** Returns the same for the step that makes it what it is for: a request with a key is carried out by it. */
  readonly last: () => Promise<CallOptions>;
  /** The caller's rights at the beginning: an upload can always be removed. */
  readonly cleanUp: () => Promise<CallOptions>;
};

export const uploadOptions = (call: ApiCall, signer: CallerSigner): UploadOptions => ({
  step: async () => certainOptions(await call.currentCaller(), signer),
  last: async () => {
    const { keyed } = call.caller;
    return certainOptions({ ...(await call.currentCaller()), ...(keyed && { keyed }) }, signer);
  },
  cleanUp: () => certainOptions(call.caller, signer),
});

export type Answer = BytesAnswer | StreamAnswer | PushAnswer;

/** @throws DomainError invalid_argument when the query string is malformed */
export async function apiCallOf(request: FastifyRequest, caller: ApiCaller, signer: CallerSigner): Promise<ApiCall> {
  const { call } = request;
  const rawQuery = rawQueryOf(request.raw.url ?? '');
  const query = parseQuery(rawQuery);
  const token = await signer.sign(caller);
  const params = request.params as { id?: string; deliveryId?: string; preference?: string };
  const { id, deliveryId, preference } = params;
  // `/nodes//events` must not become the list of all events.
  if (id === '' || deliveryId === '' || preference === '') throw notFound();
  return {
    id: id ?? '',
    deliveryId: deliveryId ?? '',
    preference: preference ?? '',
    query,
    body: call.body,
    raw: request.raw,
    caller,
    session: call.session,
    currentCaller: call.currentCaller,
    arrivalMs: call.arrivalMs,
    ifMatch: () => revisionsIn(request.headers['if-match']),
    options: { token, signal: call.signal, timeoutMs: CALL_MS },
    streamOptions: (firstChunkMs) => ({ token, signal: call.signal, timeoutMs: firstChunkMs + TRANSFER_MS }),
    listEtag: (revision) => weakEtag(callerView(caller), request.routeOptions.url ?? '', rawQuery, revision),
  };
}

/**
 * Answers one resource, which its service has written. A GET carries a validator, the answer of a change none
 * (docs/reference/requests-and-errors.md#conditional-requests).
 */
export const document = (json: Uint8Array): BytesAnswer => ({
  status: 200,
  bytes: json,
  caching: { etag: weakEtag(json) },
});
export const changed = (json: Uint8Array): BytesAnswer => ({ status: 200, bytes: json, caching: 'no-store' });
export const created = (json: Uint8Array): BytesAnswer => ({ status: 201, bytes: json, caching: 'no-store' });

const statusAnswer = (code: 200 | 202, message: string, more: object = {}): BytesAnswer => ({
  status: code,
  bytes: Buffer.from(JSON.stringify({ status: { code, message }, ...more })),
  caching: 'no-store',
});
/** The answer to a write that the log has, with further fields. */
export const accepted = (more: object): BytesAnswer =>
  statusAnswer(202, 'Operation accepted but not yet complete', more);
export const ACCEPTED = accepted({});
export const SUCCESS = statusAnswer(200, 'Success');

/** Returns a list with the validator of its revision, where its service gave one. */
export const list = (call: ApiCall, chunks: AsyncIterable<DocumentChunk>): StreamAnswer => ({
  chunks,
  caching: (revision) => (revision === '' ? 'no-store' : { etag: call.listEtag(revision) }),
  firstChunkMs: CALL_MS,
});

/** Returns several resources that a change has made. */
export const createdList = (chunks: AsyncIterable<DocumentChunk>): StreamAnswer => ({
  status: 201,
  ...uncached(chunks, CALL_MS),
});

/** Data that no cache may keep. */
export const uncached = (chunks: AsyncIterable<DocumentChunk>, firstChunkMs: number): StreamAnswer => ({
  chunks,
  caching: () => 'no-store',
  firstChunkMs,
});
