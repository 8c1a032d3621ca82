import { DomainError } from '@catchment/errors';
import { clientAddress } from '../../domain/client-address.ts';
import { csrfTokenOf, isCsrfToken, sessionHash } from '../../domain/session.ts';
import { HttpProblem } from '../response/problem.ts';
import { type AccountPage, accountPage } from './account-page.ts';
import { checkRepeated, formProblem, retryHeaders, statusOf } from './form-problem.ts';
import type { PageAnswer, PageCall, PageTable, PeopleDeps } from './page-call.ts';
import { profileOfForm } from './profile-fields.ts';

const DONE: ReadonlyMap<string, string> = new Map([
  ['welcome', 'Welcome. Your profile is finished and you are signed in.'],
  ['profile', 'Your profile is saved.'],
  ['password', 'Your password is changed. You are signed out everywhere else.'],
  ['chosen', 'You work in another account now.'],
  ['accepted', 'You have accepted. The account is among yours now.'],
  ['declined', 'You have declined. The account has nobody by your e-mail any more.'],
  ['sent', 'A mail is on its way. Open its link to confirm your e-mail; it works once, for an hour.'],
]);

type Session = PageCall & { readonly session: string };
type Shown = Partial<Pick<AccountPage, 'done' | 'form' | 'problem' | 'typed'>>;

/** Serves a person's own page and its forms. */
export function accountRoutes(deps: PeopleDeps): PageTable {
  /** A failed form leads to the page again, with what went wrong. */
  const formOf =
    (form: AccountPage['form'], work: (call: Session) => Promise<PageAnswer>) => async (call: PageCall) => {
      const session = signedIn(call);
      if (!isCsrfToken(session.session, call.form.values.get('csrf'))) throw new HttpProblem(403, 'CSRF_TOKEN_NEEDED');
      try {
        return await work(session);
      } catch (error) {
        const problem = form && formProblem(error, 'current');
        if (!problem) throw error;
        const headers = retryHeaders(error);
        const typed = form === 'profile' ? profileOfForm(call.form.values) : undefined;
        return { headers, ...(await show(deps, session, { form, problem, typed }, statusOf(error))) };
      }
    };
  return {
    '/account': {
      GET: async (call) => show(deps, signedIn(call), { done: DONE.get(call.query.done ?? '') }),
    },
    '/account/password': {
      POST: formOf('password', async ({ session, form, options }) => {
        checkRepeated(form.values);
        const [currentPassword, newPassword] = ['current', 'password'].map((name) => form.values.get(name) ?? '');
        const change = { currentPassword: currentPassword ?? '', newPassword: newPassword ?? '' };
        await deps.people.changePassword({ sessionSha256: sessionHash(session), ...change }, options);
        return { goTo: '/account?done=password' };
      }),
    },
    '/account/profile': {
      POST: formOf('profile', async ({ session, form, options }) => {
        const profile = profileOfForm(form.values);
        await deps.people.updatePerson({ sessionSha256: sessionHash(session), profile }, options);
        return { goTo: '/account?done=profile' };
      }),
    },
    '/account/choose': {
      POST: formOf(undefined, async ({ session, form, options }) => {
        const ownerId = form.values.get('account') ?? '';
        await deps.people.chooseAccount({ sessionSha256: sessionHash(session), ownerId }, options);
        deps.sessions.forget(session);
        return { goTo: '/account?done=chosen' };
      }),
    },
    '/account/invitations/accept': {
      POST: formOf('invitation', async ({ session, form, options }) => {
        const invitationId = form.values.get('id') ?? '';
        await deps.people.acceptInvitation({ sessionSha256: sessionHash(session), invitationId }, options);
        deps.sessions.forget(session);
        return { goTo: '/account?done=accepted' };
      }),
    },
    '/account/invitations/decline': {
      POST: formOf('invitation', async ({ session, form, options }) => {
        const invitationId = form.values.get('id') ?? '';
        await deps.people.declineInvitation({ sessionSha256: sessionHash(session), invitationId }, options);
        return { goTo: '/account?done=declined' };
      }),
    },
    '/account/confirm': {
      POST: formOf('confirm', async ({ session, options, request }) => {
        const { email } = await deps.people.getPerson({ sessionSha256: sessionHash(session) }, options);
        await deps.people.requestReset({ email, clientAddress: clientAddress(request.ip) }, options);
        return { goTo: '/account?done=sent' };
      }),
    },
  };
}

function signedIn(call: PageCall): Session {
  const { session } = call;
  if (session === undefined) throw new DomainError('unauthenticated', 'SESSION_ENDED', 'sign in');
  return { ...call, session };
}

async function show(deps: PeopleDeps, call: Session, shown: Shown, status = 200): Promise<PageAnswer> {
  const { session, options } = call;
  const person = await deps.people.getPerson({ sessionSha256: sessionHash(session) }, options);
  return { status, page: accountPage({ person, csrf: csrfTokenOf(session), ...shown }) };
}
