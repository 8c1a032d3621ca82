import { METHODS } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import type { RouteRule } from '../auth/guard.ts';
import { withKey } from '../openapi/parts.ts';
import { idempotencyKeyOf } from '../request/idempotency-key.ts';
import { HttpProblem } from '../response/problem.ts';
import { sendBytes, sendStream } from '../response/send.ts';
import { sendPush } from '../response/send-push.ts';
import { answerOnce, type OnceDeps } from './answer-once.ts';
import { apiCallOf } from './api-call.ts';
import type { Operation } from './operation.ts';

type OperationMethod = 'GET' | 'POST' | 'PUT' | 'DELETE';
/** Each path below /api/v1 has its methods. */
export type RouteTable = Readonly<Record<string, Partial<Record<OperationMethod, Operation>>>>;

declare module 'fastify' {
  interface FastifyContextConfig {
    bodyKind?: Operation['body'] | 'ignored';
  }
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** Registers every path of a table with all methods there are: its own, HEAD, OPTIONS, and 405 for the others. */
export function defineRoutes(app: FastifyInstance, table: RouteTable, deps: OnceDeps): void {
  for (const [url, operations] of Object.entries(table)) {
    const offered = Object.keys(operations) as OperationMethod[];
    const allow = allowOf(offered);
    for (const method of offered) {
      const operation = operations[method] as Operation;
      const rule: RouteRule = {
        kind: 'operation',
        allow,
        isWrite: method !== 'GET',
        needsKey: true,
        isSlowTooLarge: operation.isSlowTooLarge === true,
        needsAccountLevel: operation.needsAccountLevel === true,
      };
      const config = { rule, bodyKind: operation.body ?? ('ignored' as const) };
      const handler = handlerOf(operation, deps);
      const schema = method === 'GET' ? operation.schema : withKey(operation.schema);
      app.route({ method, url, schema, config, handler });
      if (method === 'GET') app.route({ method: 'HEAD', url, schema: { hide: true }, config, handler });
    }
    definePathEnds(app, url, offered, true);
  }
}

/** Defines OPTIONS and 405 of a path whose other methods are registered elsewhere. */
export function definePathEnds(app: FastifyInstance, url: string, offered: readonly string[], needsKey: boolean): void {
  const allow = allowOf(offered);
  const rule = { allow, isWrite: false, needsKey, isSlowTooLarge: false, needsAccountLevel: false };
  const schema = { hide: true };
  const options: RouteRule = { ...rule, kind: 'options', needsKey: false };
  app.route({ method: 'OPTIONS', url, schema, config: { rule: options }, handler: answerOptions });
  const refused: RouteRule = { ...rule, kind: 'method-not-allowed' };
  const method = METHODS.filter(
    (method) => method !== 'CONNECT' && !allow.split(', ').includes(method),
  ) as HTTPMethods[];
  app.route({ method, url, schema, config: { rule: refused }, handler: refuse });
}

const allowOf = (offered: readonly string[]): string =>
  [...offered, ...(offered.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');

const answerOptions: Handler = async (request, reply) =>
  reply.header('allow', request.routeOptions.config.rule?.allow ?? '').send();

const refuse: Handler = async (request) => {
  throw new HttpProblem(405, 'METHOD_NOT_ALLOWED', {
    headers: { allow: request.routeOptions.config.rule?.allow ?? '' },
  });
};

const handlerOf =
  (operation: Operation, deps: OnceDeps): Handler =>
  async (request, reply) => {
    const { call } = request;
    // A body may have come slowly: what counts is who the caller is now.
    const caller = operation.body === undefined ? call.caller : await call.currentCaller();
    if (!caller) throw new HttpProblem(401, 'UNAUTHENTICATED');
    const key = idempotencyKeyOf(request);
    const { answer, isReplayed } =
      key === undefined
        ? { answer: await operation.answer(await apiCallOf(request, caller, deps.signer)), isReplayed: false }
        : await answerOnce(deps, request, { operation, caller, key });
    if (isReplayed) reply.header('idempotency-replayed', 'true');
    if ('hub' in answer) await sendPush(request, reply, answer, caller);
    else if ('chunks' in answer) await sendStream(request, reply, answer);
    else await sendBytes(request, reply, answer);
    return reply;
  };
