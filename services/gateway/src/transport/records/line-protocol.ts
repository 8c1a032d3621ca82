import { notFound } from '@catchment/errors';
import type { CallerSigner, CallOptions } from '@catchment/grpc';
import type { Logger } from '@catchment/telemetry';
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import type { BodyBudget } from '../../domain/body-budget.ts';
import { keyOfLogin } from '../../domain/influx-login.ts';
import {
  addLeftOut,
  influxFailure,
  isCreateDatabase,
  type LeftOut,
  leftOutText,
  precisionOf,
  sourceRefOf,
} from '../../domain/influx-words.ts';
import { hasLines, LineTooLong } from '../../domain/line-cutter.ts';
import type { Peers } from '../../usecases/ports.ts';
import type { RouteRule } from '../auth/guard.ts';
import { openClaim, UPLOAD_MEMORY_BYTES } from '../request/body-hook.ts';
import { parseQuery, type QueryArguments, rawQueryOf } from '../request/query.ts';
import { receiveBytes } from '../request/read-body.ts';
import { LINE_MAX_BYTES, receiveLines } from '../request/receive-lines.ts';
import { HttpProblem, toProblem } from '../response/problem.ts';
import { CALL_MS } from '../routing/api-call.ts';
import { definePathEnds } from '../routing/define-routes.ts';

type LinesDeps = {
  readonly historic: Peers['historic'];
  readonly signer: CallerSigner;
  readonly budget: BodyBudget;
  readonly guard: onRequestAsyncHookHandler;
  readonly log: Logger;
};

type Version = 1 | 2;
/** Clients look for this to know what they speak with. */
const VERSION = '1.8.10-catchment';
/** A statement is short. */
const STATEMENT_BYTES = 64 * 1024;

/**
 * Clients of InfluxDB write here (docs/reference/line-protocol.md): `/write` of version 1, `/api/v2/write` of version
 * 2, and what they ask before. A key of the API is their token or password, a data source their database or bucket.
 * They read failures in InfluxDB's words.
 */
export async function lineProtocol(app: FastifyInstance, deps: LinesDeps): Promise<void> {
  const { guard } = deps;
  app.setErrorHandler(async (error, request, reply) => {
    const problem = toProblem(error instanceof LineTooLong ? tooLong() : error);
    if (problem.status === 500) deps.log.error({ err: problem.cause ?? problem }, 'request failed');
    if (problem.status >= 500) request.call.problem = problem.reason;
    return failed(request, reply, problem);
  });
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('x-influxdb-version', VERSION).header('x-influxdb-build', 'OSS').header('cache-control', 'no-store');
  });
  for (const url of ['/ping', '/health']) {
    const handler = url === '/ping' ? ping : health;
    app.route({ method: ['GET', 'HEAD'], url, schema: { hide: true }, handler });
    definePathEnds(app, url, ['GET'], false);
  }
  const write = (version: Version, url: string) => {
    const handler = async (request: FastifyRequest, reply: FastifyReply) => {
      await writeLines(deps, version, request);
      return reply.code(204).send();
    };
    app.route({ method: 'POST', url, schema: { hide: true }, config: ruled(true), onRequest: signIn(guard), handler });
    definePathEnds(app, url, ['POST'], false);
  };
  write(1, '/write');
  write(2, '/api/v2/write');
  app.route({
    method: ['GET', 'POST'],
    url: '/query',
    schema: { hide: true },
    config: ruled(false),
    onRequest: signIn(guard),
    handler: (request, reply) => query(deps, request, reply),
  });
  definePathEnds(app, '/query', ['GET', 'POST'], false);
}

const ruled = (isWrite: boolean): { rule: RouteRule } => ({
  rule: {
    kind: 'operation',
    allow: 'POST, OPTIONS',
    isWrite,
    needsKey: true,
    isSlowTooLarge: false,
    needsAccountLevel: false,
  },
});

const tooLong = (): HttpProblem =>
  new HttpProblem(400, 'INVALID_ROW', { message: `unable to parse: a line is longer than ${LINE_MAX_BYTES} bytes` });

/** The guard takes the key from where this kind of client has put it; a session of a browser is none. */
const signIn = (guard: onRequestAsyncHookHandler): onRequestAsyncHookHandler =>
  async function (request, reply) {
    const apiKey = request.headers['x-api-key'];
    request.headers['x-api-key'] =
      keyOfLogin({
        apiKey: typeof apiKey === 'string' ? apiKey : undefined,
        authorization: request.headers.authorization,
        password: argumentsOf(request).p,
      }) ?? '';
    return guard.call(this, request, reply);
  };

const argumentsOf = (request: FastifyRequest): QueryArguments => parseQuery(rawQueryOf(request.raw.url ?? ''));

async function writeLines({ historic, signer, budget }: LinesDeps, version: Version, request: FastifyRequest) {
  const { call } = request;
  const { caller } = call;
  if (!caller) throw new HttpProblem(401, 'UNAUTHENTICATED');
  const given = argumentsOf(request);
  const name = version === 1 ? given.db : given.bucket;
  if (!name)
    throw new HttpProblem(400, 'ARGUMENT_MISSING', { message: `${version === 1 ? 'database' : 'bucket'} is required` });
  const asked = precisionOf(version, given.precision);
  if ('problem' in asked) throw new HttpProblem(400, 'INVALID_ARGUMENT', { message: asked.problem });
  openClaim(budget, request, { account: caller.ownerId }).take(UPLOAD_MEMORY_BYTES);
  const leftOut: LeftOut = { lines: 0, dropped: 0, problems: [] };
  let isEmpty = true;
  let parts = 0;
  await receiveLines(request.raw, async (lines) => {
    isEmpty &&= !hasLines(lines);
    // The body may have come slowly: what counts is who the caller is now.
    const options: CallOptions = { token: await signer.sign(await call.currentCaller()), timeoutMs: CALL_MS };
    const part = { nodeRef: sourceRefOf(name), lines, precision: asked.precision, arrivalMs: call.arrivalMs };
    addLeftOut(leftOut, await historic.writeLines({ ...part, continues: parts > 0 }, options));
    parts += 1;
  }).catch((error: unknown) => {
    throw unknownSource(error, version, name);
  });
  const text = leftOutText(leftOut);
  if (text !== undefined) throw new HttpProblem(400, 'INVALID_ROW', { message: text });
  if (isEmpty && version === 2) throw new HttpProblem(400, 'BODY_MISSING', { message: 'writing requires points' });
}

function unknownSource(error: unknown, version: Version, name: string): unknown {
  const problem = error instanceof Error ? toProblem(error) : undefined;
  if (problem?.status !== 404) return error;
  const shown = JSON.stringify(name.slice(0, 100));
  const message = version === 1 ? `database not found: ${shown}` : `bucket ${shown} not found`;
  return new HttpProblem(404, notFound().reason, { message: `${message}: name a data source by its id or customId` });
}

/** Answers what version 1 asks before it writes: a database is made in the tree, not here. */
async function query({ budget }: LinesDeps, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { caller } = request.call;
  if (!caller) throw new HttpProblem(401, 'UNAUTHENTICATED');
  let { q } = argumentsOf(request);
  if (request.method === 'POST') {
    const claim = openClaim(budget, request, { account: caller.ownerId });
    const body = await receiveBytes(request.raw, STATEMENT_BYTES, claim);
    q ??= parseQuery(body.toString('latin1')).q;
  }
  if (!q) throw new HttpProblem(400, 'ARGUMENT_MISSING', { message: 'missing required parameter "q"' });
  if (!isCreateDatabase(q))
    throw new HttpProblem(400, 'INVALID_ARGUMENT', {
      message: 'error parsing query: only CREATE DATABASE is answered here; read by GET /api/v1/nodes/:id/historic',
    });
  return reply.code(200).header('content-type', 'application/json').send('{"results":[{"statement_id":0}]}\n');
}

async function ping(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { verbose } = argumentsOf(request);
  if (verbose === undefined || verbose === '' || verbose === 'false' || verbose === '0') return reply.code(204).send();
  return reply.code(200).header('content-type', 'application/json').send(`{"version":"${VERSION}"}\n`);
}

async function health(_request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const answer = {
    name: 'influxdb',
    message: 'ready for queries and writes',
    status: 'pass',
    checks: [],
    version: VERSION,
  };
  return reply.code(200).header('content-type', 'application/json').send(JSON.stringify(answer));
}

function failed(request: FastifyRequest, reply: FastifyReply, problem: HttpProblem): FastifyReply {
  const version = request.routeOptions.url?.startsWith('/api/v2') ? 2 : 1;
  const message =
    problem.status === 401 ? (version === 1 ? 'authorization failed' : 'unauthorized access') : problem.message;
  const { body, headers } = influxFailure({ version, status: problem.status, message });
  return reply
    .code(problem.status)
    .headers({ ...problem.headers, ...headers })
    .header('content-type', 'application/json; charset=utf-8')
    .send(JSON.stringify(body));
}
