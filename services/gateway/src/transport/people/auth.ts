import type { Link, SignInResponse } from '@catchment/contracts/people';
import { DomainError } from '@catchment/errors';
import { clientAddress } from '../../domain/client-address.ts';
import { pageLanguage } from '../../domain/page-language.ts';
import { pageOfPeople } from '../../domain/page-of-people.ts';
import { csrfTokenOf, isCsrfToken, sessionHash } from '../../domain/session.ts';
import { newSessionToken } from '../../usecases/sessions.ts';
import { setSessionCookie } from '../auth/session-cookie.ts';
import { HttpProblem } from '../response/problem.ts';
import { checkRepeated, formProblem, retryHeaders, statusOf } from './form-problem.ts';
import type { PageAnswer, PageCall, PageTable, PeopleDeps } from './page-call.ts';
import * as docs from './people-docs.ts';
import { profileOfForm } from './profile-fields.ts';
import { forgotPage, forgotSentPage, linkGonePage, linkPage, signInPage } from './sign-in-pages.ts';
import { unsubscribedPage, unsubscribePage } from './unsubscribe-pages.ts';

/** Signing in and out, and what links of mails lead to. */
export function authRoutes(deps: PeopleDeps): PageTable {
  return {
    '/auth/login': {
      GET: async ({ query, session, request }) => {
        // A failed lookup shows the sign-in page: signing in reports the failure.
        const next = pageOfPeople(query.next);
        if (session !== undefined && (await deps.sessions.accountOf(session).catch(() => undefined)))
          return { goTo: next ?? HOME };
        return { page: signInPage(languageOf(request), { isOut: query.done === 'out', next }) };
      },
      POST: (call) => signIn(deps, call),
      schema: docs.signIn,
    },
    '/auth/logout': { POST: (call) => signOut(deps, call), schema: docs.signOut },
    '/auth/forgot': {
      GET: async ({ request }) => ({ page: forgotPage(languageOf(request), {}) }),
      POST: (call) => forgot(deps, call),
    },
    '/auth/setupprofile/:token': linkRoutes(deps),
    '/auth/resetpassword/:token': linkRoutes(deps),
    '/auth/unsubscribe/:token': {
      GET: async (call) => ({ page: unsubscribePage(pathOf(call)) }),
      POST: (call) => stopEmails(deps, call),
    },
  };
}

const languageOf = ({ headers }: PageCall['request']) => pageLanguage(headers['accept-language']);

/** A person who has signed in goes on here: the console of the account. */
const HOME = '/a';

async function signIn(deps: PeopleDeps, call: PageCall): Promise<PageAnswer> {
  const { form, request, options } = call;
  const text = (name: string) => form.values.get(name) ?? '';
  const token = newSessionToken();
  const next = pageOfPeople(form.values.get('next'));
  try {
    const signedIn = await deps.people.signIn(
      {
        sessionSha256: sessionHash(token),
        email: text('email'),
        password: text('password'),
        clientAddress: clientAddress(request.ip),
        account: text('account'),
        userAgent: request.headers['user-agent'] ?? '',
      },
      options,
    );
    await endSession(deps, call);
    keep(deps, call, token, signedIn);
    return form.isJson ? { json: signedInView(token, signedIn) } : { goTo: next ?? HOME };
  } catch (error) {
    const problem = formProblem(error);
    if (form.isJson || !problem) throw error;
    const isWrong = error instanceof DomainError && error.reason === 'SIGN_IN_FAILED';
    return {
      status: statusOf(error),
      headers: retryHeaders(error),
      page: signInPage(languageOf(request), { email: text('email'), problem: { ...problem, isWrong }, next }),
    };
  }
}

const signedInView = (token: string, { userId, username, ownerId, expiresMs }: SignInResponse) => ({
  userId,
  username,
  ...(ownerId !== '' && { ownerId }),
  csrfToken: csrfTokenOf(token),
  expiresTime: new Date(expiresMs).toISOString(),
});

function keep(deps: PeopleDeps, { request, reply }: PageCall, token: string, { expiresMs }: SignInResponse): void {
  setSessionCookie(request, reply, deps.appUrl, token, Math.max(0, Math.floor((expiresMs - Date.now()) / 1000)));
}

/** The browser's session, if it has one, is worth nothing from now on. */
async function endSession(deps: PeopleDeps, { session, options }: PageCall): Promise<void> {
  if (session === undefined) return;
  await deps.people.signOut({ sessionSha256: sessionHash(session) }, options);
  deps.sessions.forget(session);
}

async function signOut(deps: PeopleDeps, call: PageCall): Promise<PageAnswer> {
  const { session, form, request, reply } = call;
  const shown = form.values.get('csrf') ?? request.headers['x-csrf-token'];
  if (session !== undefined && !isCsrfToken(session, shown))
    throw new HttpProblem(403, 'CSRF_TOKEN_NEEDED', { message: 'X-CSRF-Token: must be the token of the session' });
  await endSession(deps, call);
  setSessionCookie(request, reply, deps.appUrl, '', 0);
  const isProgram = form.isJson || (request.headers.accept ?? '').includes('application/json');
  return isProgram ? { json: { status: { code: 200, message: 'Success' } } } : { goTo: '/auth/login?done=out' };
}

async function forgot({ people }: PeopleDeps, { form, request, options }: PageCall): Promise<PageAnswer> {
  const email = form.values.get('email') ?? '';
  try {
    await people.requestReset({ email, clientAddress: clientAddress(request.ip) }, options);
    return { page: forgotSentPage(languageOf(request)) };
  } catch (error) {
    const problem = formProblem(error);
    if (!problem) throw error;
    return {
      status: statusOf(error),
      headers: retryHeaders(error),
      page: forgotPage(languageOf(request), { email, problem }),
    };
  }
}

function linkRoutes(deps: PeopleDeps): PageTable[string] {
  return {
    GET: async (call) => {
      const link = await findLink(deps, call);
      return link ? { page: linkPage(link, pathOf(call), {}) } : GONE;
    },
    POST: async (call) => {
      const link = await findLink(deps, call);
      if (!link) return GONE;
      try {
        return await takeLink(deps, call, link);
      } catch (error) {
        if (error instanceof DomainError && error.kind === 'not_found') return GONE;
        const problem = formProblem(error);
        if (!problem) throw error;
        return {
          status: statusOf(error),
          page: linkPage(link, pathOf(call), { profile: givenProfile(call, link), problem }),
        };
      }
    },
  };
}

/** Sent by our page, or by a program for mail by itself: nobody has to be signed in. */
async function stopEmails({ security }: PeopleDeps, call: PageCall): Promise<PageAnswer> {
  try {
    await security.stopEmails({ token: tokenOf(call) }, call.options);
    return { page: unsubscribedPage() };
  } catch (error) {
    if (error instanceof DomainError && error.kind === 'not_found') return GONE;
    throw error;
  }
}

const GONE = { status: 404, page: linkGonePage() } as const;
const tokenOf = ({ request }: PageCall): string => (request.params as { token: string }).token;
const pathOf = ({ request }: PageCall): string => (request.raw.url ?? '').split('?', 1)[0] ?? '';
/** A link for a new password has no profile in its form. */
const givenProfile = ({ form }: PageCall, link: Link) =>
  link.purpose === 'activate' ? profileOfForm(form.values) : undefined;

async function findLink({ people }: PeopleDeps, call: PageCall): Promise<Link | undefined> {
  return people.getLink({ token: tokenOf(call) }, call.options).catch((error) => {
    if (error instanceof DomainError && error.kind === 'not_found') return undefined;
    throw error;
  });
}

async function takeLink(deps: PeopleDeps, call: PageCall, link: Link): Promise<PageAnswer> {
  const { form, options, request } = call;
  const password = form.values.get('password') ?? '';
  checkRepeated(form.values);
  const token = newSessionToken();
  const profile = givenProfile(call, link);
  const signedIn = await deps.people.useLink(
    {
      token: tokenOf(call),
      password,
      profile,
      sessionSha256: sessionHash(token),
      clientAddress: clientAddress(request.ip),
      userAgent: request.headers['user-agent'] ?? '',
    },
    options,
  );
  await endSession(deps, call);
  keep(deps, call, token, signedIn);
  return { goTo: link.purpose === 'activate' ? '/account?done=welcome' : '/account?done=password' };
}
