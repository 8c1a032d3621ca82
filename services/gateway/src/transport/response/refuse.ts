import type { Logger } from '@catchment/telemetry';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PAGE_POLICY } from '../views/layout.ts';
import type { HttpProblem } from './problem.ts';
import { sendBytes, sendProblem } from './send.ts';

/** Headers of the answer that was begun; those of its length and version stay for JSON, which replaces them itself. */
const BEGUN = ['content-disposition', 'content-security-policy', 'content-type', 'content-range', 'accept-ranges'];

/**
 * Answers a link that failed: with a page for people who open it in a browser, with JSON for programs and scripts.
 * @param page the page's HTML; undefined: JSON for browsers too
 */
export async function refuse(
  log: Logger,
  request: FastifyRequest,
  reply: FastifyReply,
  problem: HttpProblem,
  page: ((problem: HttpProblem) => string) | undefined,
): Promise<void> {
  if (problem.status === 500) log.error({ err: problem.cause ?? problem }, 'link failed');
  for (const name of BEGUN) reply.removeHeader(name);
  if (page === undefined || !/\btext\/html\b/i.test(request.headers.accept ?? ''))
    return sendProblem(request, reply, problem);
  for (const name of ['content-length', 'etag']) reply.removeHeader(name);
  reply.headers(problem.headers).header('content-security-policy', PAGE_POLICY);
  await sendBytes(request, reply, {
    status: problem.status,
    bytes: Buffer.from(page(problem)),
    contentType: 'text/html; charset=utf-8',
    caching: 'no-store',
  });
}
