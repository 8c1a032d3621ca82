import type { ServerResponse } from 'node:http';
import type { ApiCaller } from '@catchment/access';
import { DomainError } from '@catchment/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Rights } from '../../usecases/push/followers.ts';
import type { PushHub } from '../../usecases/push/push-hub.ts';
import type { PushSink } from '../../usecases/push/stream-client.ts';
import type { StreamSlots } from '../../usecases/push/stream-slots.ts';
import { HttpProblem } from './problem.ts';

/** A client that does not take its last message within this time is left. */
const LAST_MESSAGE_MS = 5_000;

/** The answer is a stream of server-sent events (docs/reference/events.md#streams). */
export type PushAnswer = {
  readonly hub: PushHub;
  readonly slots: StreamSlots;
  readonly arguments: Readonly<Record<string, string>>;
  /** The client has this last message; empty = none. */
  readonly cursor: string;
};

/** Opens a stream. A wrong request gets an error answer: the stream begins when its first part is there. */
export async function sendPush(
  request: FastifyRequest,
  reply: FastifyReply,
  { hub, slots, arguments: given, cursor }: PushAnswer,
  caller: ApiCaller,
): Promise<void> {
  const { keyId } = request.call;
  const releaseSlot = slots.take(caller.ownerId, keyId);
  reply.raw.once('close', releaseSlot);
  // A browser that is refused does not try again: while this process stops, its streams begin and end.
  const first = hub.isClosed ? { messages: [], cursor, hasMore: false } : await hub.open(caller, given, cursor);
  if (reply.raw.destroyed) return releaseSlot();
  reply.header('content-type', 'text/event-stream; charset=utf-8').header('cache-control', 'no-store');
  // Proxies that gather answers would hold messages back.
  reply.header('x-accel-buffering', 'no').header('connection', 'close');
  if (request.method === 'HEAD') return void reply.send();
  const response = beginResponse(reply);
  const rights = (maxAgeMs: number) => rightsOf(request, maxAgeMs);
  const follower = { ownerId: caller.ownerId, keyId, arguments: given, sink: sinkOf(response), rights };
  const stream = hub.join(follower, caller, first);
  response.on('drain', stream.drained);
  response.once('close', stream.leave);
}

/** The framework holds nothing for a stream from here on: thousands of them are open at once. */
export function beginResponse(reply: FastifyReply): ServerResponse {
  reply.hijack();
  const { raw } = reply;
  raw.on('error', () => raw.destroy());
  raw.writeHead(200, reply.getHeaders() as Record<string, string>);
  return raw;
}

export function sinkOf(response: ServerResponse): PushSink {
  return {
    write: (text) => void response.write(text),
    get isBusy() {
      return response.writableNeedDrain;
    },
    end: (text) => {
      response.end(text);
      setTimeout(() => response.destroy(), LAST_MESSAGE_MS).unref();
    },
  };
}

/** @throws DomainError while nobody can say */
async function rightsOf({ call }: FastifyRequest, maxAgeMs: number): Promise<Rights> {
  try {
    return { caller: await call.currentCaller(maxAgeMs) };
  } catch (error) {
    // A person who has lost the account keeps the session.
    const hasLost = error instanceof DomainError && error.kind === 'permission_denied';
    if (!(error instanceof HttpProblem) && !hasLost) throw error;
    return { end: { reason: error.reason, message: error.message } };
  }
}
