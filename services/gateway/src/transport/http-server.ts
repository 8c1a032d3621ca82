import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { applyMethodOverride } from './request/method-override.ts';
import { requestIdOf } from './request/request-id.ts';
import { failConnection } from './request/request-scope.ts';
import { noteExpectation } from './request/well-formed.ts';
import { breakageOfSocket } from './response/broken-answer.ts';
import { HttpProblem, problemBody } from './response/problem.ts';

/** Headers with the request line; a query string of 4096 bytes and long references fit well. */
const HEADERS_MAX_BYTES = 16 * 1024;
const HEADERS_TIMEOUT_MS = 15_000;
/** 100 MiB at 700 kbit/s. Bodies other than uploads have less time (request/read-body.ts). */
const REQUEST_TIMEOUT_MS = 20 * 60_000;
/** Longer than the idle time of common load balancers, so that they close first. */
const KEEP_ALIVE_MS = 65_000;
const OFFERED_METHODS = 'GET, HEAD, POST, PUT, DELETE, OPTIONS';

/** Creates the HTTP server with its limits; it disconnects slow or endless senders. */
export function createHttpServer(
  handler: (request: IncomingMessage, response: ServerResponse) => void,
  options: { maxConnections: number; idleMs: number; accept: (socket: Socket) => void },
): Server {
  const server = createServer(
    {
      maxHeaderSize: HEADERS_MAX_BYTES,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectionsCheckingInterval: 5_000,
      noDelay: true,
      // Checked by ours (request/well-formed.ts): every failure has a body.
      requireHostHeader: false,
    },
    (request, response) => {
      applyMethodOverride(request);
      handler(request, response);
    },
  );
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    noteExpectation(request);
    server.emit('request', request, response);
  });
  server.on('connect', (_request: IncomingMessage, socket: Socket) =>
    endWithProblem(socket, new HttpProblem(405, 'METHOD_NOT_ALLOWED', { headers: { allow: OFFERED_METHODS } })),
  );
  server.maxConnections = options.maxConnections;
  server.on('connection', options.accept);
  // This client neither sends nor takes anything.
  server.timeout = options.idleMs;
  return server;
}

/** A target with scheme and host (RFC 9112, 3.2.2) is that of its path. Paths whose percent-encoding is broken match no route. */
export function routablePath(request: IncomingMessage): string {
  const target = (request.url ?? '/').replace(/^https?:\/\/[^/?#]*(?=([/?#]?))/i, (_all, next) =>
    next === '/' ? '' : '/',
  );
  const path = target.split('?', 1)[0] ?? '';
  if (!path.includes('%')) return target;
  try {
    decodeURIComponent(path);
    return target;
  } catch {
    return path.startsWith('/api/v1/') ? '/api/v1/-/malformed' : '/-/malformed';
  }
}

/**
 * Answers requests that Node's parser refuses: with an error body like any other, then the connection ends. An
 * answer that has begun is broken off, with the reason noted: no second one is written into it.
 */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  const hasBegun = failConnection(socket, breakageOfSocket(error));
  if (hasBegun || error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const problem =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? new HttpProblem(413, 'HEADERS_TOO_LARGE')
      : new HttpProblem(400, 'BAD_REQUEST', { message: messageOf(error) });
  endWithProblem(socket, problem);
}

function endWithProblem(socket: Socket, problem: HttpProblem): void {
  const body = problemBody(problem);
  const head = [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${body.length}`,
    `X-Request-Id: ${requestIdOf(undefined)}`,
    'Vary: Accept-Encoding',
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    'Connection: close',
    ...Object.entries(problem.headers).map(([name, value]) => `${name}: ${value}`),
  ];
  socket.end(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]));
}

const messageOf = (error: NodeJS.ErrnoException): string =>
  error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
    ? `request: must arrive within ${REQUEST_TIMEOUT_MS / 1000} s, its headers within ${HEADERS_TIMEOUT_MS / 1000} s`
    : 'request: must be well-formed HTTP';
