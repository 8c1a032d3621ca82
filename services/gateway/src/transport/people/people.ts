import { DomainError } from '@catchment/errors';
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify';
import { isForeign, sessionTokenOf, setSessionCookie } from '../auth/session-cookie.ts';
import { openClaim } from '../request/body-hook.ts';
import { type FormBody, readForm } from '../request/form-body.ts';
import { parseQuery, rawQueryOf } from '../request/query.ts';
import { HttpProblem, toProblem } from '../response/problem.ts';
import { sendBytes, sendProblem } from '../response/send.ts';
import { definePathEnds } from '../routing/define-routes.ts';
import { PAGE_POLICY } from '../views/layout.ts';
import { accountRoutes } from './account.ts';
import { authRoutes } from './auth.ts';
import { isSignedOut } from './form-problem.ts';
import type { PageAnswer, PageHandler, PeopleDeps } from './page-call.ts';
import { problemPage } from './sign-in-pages.ts';

const CALL_MS = 15_000;
const NO_FORM: FormBody = { isJson: false, values: new URLSearchParams() };

/** Serves pages for people: signing in and out, what links of mails lead to, their own account. */
export function addPeoplePages(app: FastifyInstance, deps: PeopleDeps): void {
  for (const [url, { schema = { hide: true }, ...handlers }] of Object.entries({
    ...authRoutes(deps),
    ...accountRoutes(deps),
  })) {
    const { GET, POST } = handlers as { GET?: PageHandler; POST?: PageHandler };
    const hidden = { hide: true } as FastifySchema;
    if (GET) app.route({ method: ['GET', 'HEAD'], url, schema: hidden, handler: handlerOf(deps, GET) });
    if (POST) app.route({ method: 'POST', url, schema, handler: handlerOf(deps, POST) });
    definePathEnds(app, url, [...(GET ? ['GET'] : []), ...(POST ? ['POST'] : [])], false);
  }
}

const handlerOf =
  (deps: PeopleDeps, handle: PageHandler) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const wantsJson = (request.headers['content-type'] ?? '').toLowerCase().startsWith('application/json');
    // A token is in the address of some pages: it goes nowhere else.
    reply.header('referrer-policy', 'no-referrer');
    try {
      const form = request.method === 'POST' ? await formOf(deps, request) : NO_FORM;
      const token = await deps.signer.sign({ kind: 'service', service: 'gateway' });
      const options = { token, signal: request.call.signal, timeoutMs: CALL_MS };
      const session = sessionTokenOf(request, deps.appUrl);
      const query = parseQuery(rawQueryOf(request.raw.url ?? ''));
      await send(request, reply, await handle({ request, reply, session, query, form, options }));
    } catch (error) {
      if (isSignedOut(error)) {
        setSessionCookie(request, reply, deps.appUrl, '', 0);
        await send(request, reply, { goTo: '/auth/login' });
      } else {
        const problem = problemOf(error);
        if (problem.status === 500) deps.log.error({ err: problem.cause ?? problem }, 'page failed');
        await (wantsJson ? sendProblem(request, reply, problem) : sendProblemPage(request, reply, problem));
      }
    }
    return reply;
  };

async function formOf({ budget, sessions, appUrl }: PeopleDeps, request: FastifyRequest): Promise<FormBody> {
  if (isForeign(request))
    throw new HttpProblem(403, 'FOREIGN_PAGE', { message: 'This form was not sent by our page.' });
  const account = await sessions.accountOf(sessionTokenOf(request, appUrl)).catch(() => undefined);
  return readForm(request, openClaim(budget, request, account && { account: account.caller.ownerId }));
}

/** Failures of sign-in as programs get them. */
function problemOf(error: unknown): HttpProblem {
  if (error instanceof DomainError && error.reason === 'SIGN_IN_FAILED')
    return new HttpProblem(401, error.reason, { message: `Unauthorized: ${error.message}` });
  return toProblem(error);
}

async function send(request: FastifyRequest, reply: FastifyReply, answer: PageAnswer): Promise<void> {
  if ('goTo' in answer) {
    reply.code(303).header('location', answer.goTo).header('cache-control', 'no-store').send();
    return;
  }
  const isPage = 'page' in answer;
  if (isPage) reply.headers(answer.headers ?? {}).header('content-security-policy', PAGE_POLICY);
  await sendBytes(request, reply, {
    status: answer.status ?? 200,
    bytes: Buffer.from(isPage ? answer.page : JSON.stringify(answer.json)),
    contentType: isPage ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8',
    caching: 'no-store',
  });
}

const ADVICE: Readonly<Partial<Record<number, readonly [string, string]>>> = {
  400: ['That did not work', 'What the form sent cannot be read. Go back, load the page again and try once more.'],
  403: ['That is not allowed', 'The page may be too old, or your access has changed. Load it again and try once more.'],
  404: ['Nothing is here', 'What you asked for does not exist, or not any more.'],
  413: ['That was too much', 'The form sent more than it can hold. Go back and shorten the texts.'],
  429: ['Too many attempts', 'Wait some minutes, then try again.'],
  503: ['Not available at the moment', 'Catchment is starting, or a part of it is away. Try again in half a minute.'],
};

async function sendProblemPage(request: FastifyRequest, reply: FastifyReply, problem: HttpProblem): Promise<void> {
  const [title, advice] = ADVICE[problem.status] ?? [
    'Something went wrong',
    'Try again. If it happens again, inform whoever runs this installation.',
  ];
  reply.headers(problem.headers);
  await send(request, reply, { status: problem.status, page: problemPage(title, advice) });
}
