import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import {
  extractTrace,
  failSpan,
  histogram,
  type Logger,
  type Span,
  SpanKind,
  withRequestId,
  withSpan,
} from '@catchment/telemetry';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { tracedPath } from '../../domain/traced-path.ts';
import type { Drain } from '../drain.ts';
import { type Breakage, levelOf, statusOf } from '../response/broken-answer.ts';
import { CallState } from './call-state.ts';

const UNREAD_MS = 120_000;
/** Kubernetes and load balancers ask for these. */
const PROBES: ReadonlySet<string> = new Set(['/healthz', '/readyz']);
/** Requests that take longer leave a line. */
const SLOW_MS = 1_000;

const requestDuration = histogram({
  name: 'http_server_request_duration_seconds',
  help: 'Duration of HTTP requests, from their arrival to the end of the answer.',
  labels: ['http_request_method', 'http_route', 'http_response_status_code'],
});

/** Returns whether a request of the connection has come whole and its answer is not at its end. */
export function isAnswering(socket: Socket): boolean {
  const answer = underWay.get(socket)?.answer;
  return answer !== undefined && !answer.writableFinished && answer.req.complete;
}

type UnderWay = { readonly call: CallState; readonly answer: ServerResponse };
const underWay = new WeakMap<Socket, UnderWay>();

/**
 * Notes why the last request of a connection fails with it.
 * @returns whether its answer has begun, so that no other may be written
 */
export function failConnection(socket: Socket, breakage: Breakage): boolean {
  const last = underWay.get(socket);
  if (!last || last.answer.writableFinished) return false;
  last.call.breaks(breakage);
  return last.answer.headersSent;
}

/**
 * Around every request: its id in the answer, in every log line and in every call to a peer; the root span named after the
 * route; one log line where it failed or was slow, or at level debug; what it held given back when it ends, however it ends.
 */
export function addRequestScope(
  app: FastifyInstance,
  deps: { log: Logger; drain: Drain; known: (socket: Socket, account: string) => void },
): void {
  app.decorateRequest('call');
  app.addHook('onRequest', (request, reply, done) => {
    const call = new CallState();
    request.call = call;
    call.pays = (account) => deps.known(request.raw.socket, account);
    reply.header('x-request-id', request.id);
    deps.drain.enter();
    const closed = Promise.withResolvers<void>();
    reply.raw.once('close', closed.resolve);
    underWay.set(request.raw.socket, { call, answer: reply.raw });
    // The connection was idle for long. Without this listener the server would end the connection itself.
    reply.raw.on('timeout', (socket) => {
      const isTaken = socket.writableLength === 0 && request.raw.complete;
      call.breaks({ reason: isTaken ? 'peer failed' : 'client stalled' });
      socket.destroy();
    });
    const bytesBefore = request.raw.socket.bytesWritten;
    const route = request.routeOptions.url ?? 'unknown';
    const parent = extractTrace({
      traceparent: header(request, 'traceparent'),
      tracestate: header(request, 'tracestate'),
    });
    withRequestId(request.id, () => {
      const attributes = () => {
        const path = tracedPath(request.routeOptions.url, request.url);
        return {
          'http.request.method': request.method,
          'http.route': route,
          ...(path !== undefined && { 'url.path': path }),
          'url.scheme': request.protocol,
          'network.protocol.version': request.raw.httpVersion,
        };
      };
      const serve = async (span?: Span) => {
        done();
        await closed.promise;
        const bytes = request.raw.socket.bytesWritten - bytesBefore;
        finish(request, reply, span, { route, bytes, ...deps });
      };
      // Nobody looks for the trace of a probe, and there is one every few seconds.
      if (PROBES.has(route)) void serve();
      else void withSpan(`${request.method} ${route}`, { kind: SpanKind.SERVER, parent, attributes }, serve);
    });
  });
}

function finish(
  request: FastifyRequest,
  reply: FastifyReply,
  span: Span | undefined,
  facts: { route: string; bytes: number; log: Logger; drain: Drain },
): void {
  const { route, bytes, log, drain } = facts;
  const { call } = request;
  const isComplete = reply.raw.writableFinished;
  if (!isComplete && drain.hasEnded) call.breaks({ reason: 'drain' });
  const { breakage, problem } = call;
  if (!isComplete) call.abort();
  if (!request.raw.complete) endUnread(request.raw);
  call.giveBack();
  drain.leave();
  const status = isComplete ? reply.raw.statusCode : statusOf(breakage);
  span?.setAttribute('http.response.status_code', status);
  if (status >= 500) failSpan(span, String(status));
  const tookMs = performance.now() - call.startedAt;
  requestDuration.observe(
    { http_request_method: request.method, http_route: route, http_response_status_code: status },
    tookMs / 1_000,
  );
  const durationMs = Math.round(tookMs * 10) / 10;
  const line = { method: request.method, route, status, durationMs, ownerId: call.caller?.ownerId, bytes, problem };
  if (!isComplete) log[levelOf(breakage)]({ ...line, ...breakage }, 'answer broken off');
  // A line for each costs a fifth of the rate of small writes: what went well is left to traces.
  else log[status >= 400 || durationMs > SLOW_MS ? 'info' : 'debug'](line, 'request');
}

/**
 * A body that was answered before its end is read for some time, so that the client gets the answer; then its
 * connection is closed.
 */
function endUnread(raw: FastifyRequest['raw']): void {
  const timer = setTimeout(() => raw.destroy(), UNREAD_MS).unref();
  const over = () => clearTimeout(timer);
  // A request that was answered hears nothing of the end of its connection.
  raw.once('end', over).once('close', over);
  raw.socket.once('close', over);
}

function header(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' ? value : undefined;
}
