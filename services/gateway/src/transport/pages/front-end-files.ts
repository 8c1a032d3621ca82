import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { FrontEnd } from '../../usecases/pages/front-end.ts';
import { HttpProblem } from '../response/problem.ts';
import { definePathEnds } from '../routing/define-routes.ts';

/** Scripts and styles of the pages for browsers: their names are made of their content, so they never change. */
export function addFrontEndFiles(app: FastifyInstance, frontEnd: FrontEnd | undefined): void {
  const url = '/assets/*';
  app.route({
    method: ['GET', 'HEAD'],
    url,
    schema: { hide: true },
    handler: async (request, reply) => {
      const name = `assets/${(request.params as { '*': string })['*']}`;
      const file = await frontEnd?.file(name, encodingsOf(request));
      if (!file) throw new HttpProblem(404, 'NOT_FOUND');
      if (file.encoding !== '') reply.header('content-encoding', file.encoding);
      reply
        .header('content-type', file.contentType)
        .header('content-length', file.bytes.length)
        .header('cache-control', 'public, max-age=31536000, immutable')
        .send(request.method === 'HEAD' ? undefined : file.bytes);
      return reply;
    },
  });
  definePathEnds(app, url, ['GET'], false);
}

/** The better one first. */
function encodingsOf({ headers }: FastifyRequest): ('br' | 'gzip')[] {
  const accepted = String(headers['accept-encoding'] ?? '')
    .toLowerCase()
    .split(',')
    .filter((item) => !/;\s*q\s*=\s*0(\.0*)?\s*$/.test(item))
    .map((item) => item.split(';', 1)[0]?.trim());
  return (['br', 'gzip'] as const).filter((encoding) => accepted.includes(encoding));
}
