import type { FastifyInstance } from 'fastify';
import type { Runbook } from '../../usecases/pages/runbook.ts';
import { HttpProblem } from '../response/problem.ts';
import { sendBytes } from '../response/send.ts';
import { definePathEnds } from '../routing/define-routes.ts';
import { PAGE_POLICY } from '../views/layout.ts';
import { runbookPage } from './runbook-page.ts';

/** Alerts lead to these pages (`runbook_url`): a person who is woken has no key at hand. */
export function addRunbook(app: FastifyInstance, runbook: Runbook): void {
  for (const url of ['/docs/runbook', '/docs/runbook/:alert']) {
    app.route({
      method: ['GET', 'HEAD'],
      url,
      schema: { hide: true },
      handler: async (request, reply) => {
        const page = await runbook((request.params as { alert?: string }).alert);
        if (page === undefined) throw new HttpProblem(404, 'NOT_FOUND');
        const bytes = Buffer.from(runbookPage(page));
        reply.header('content-security-policy', PAGE_POLICY);
        await sendBytes(request, reply, {
          status: 200,
          bytes,
          contentType: 'text/html; charset=utf-8',
          caching: 'no-store',
        });
        return reply;
      },
    });
    definePathEnds(app, url, ['GET'], false);
  }
}
