import type { Person } from '@catchment/contracts/people';
import { DomainError } from '@catchment/errors';
import type { CallOptions } from '@catchment/grpc';
import { clientAddress } from '../../domain/client-address.ts';
import { csrfTokenOf, isCsrfToken, sessionHash } from '../../domain/session.ts';
import { HttpProblem } from '../response/problem.ts';
import { type AccountPage, accountPage, profileOfForm, type ShownKey } from '../views/account-page.ts';
import { checkRepeated, formProblem, isSignedOut, retryHeaders, statusOf } from './form-problem.ts';
import type { PageAnswer, PageCall, PageTable, PeopleDeps } from './page-call.ts';

const DONE: ReadonlyMap<string, string> = new Map([
  ['welcome', 'Welcome. Your profile is finished and you are signed in.'],
  ['profile', 'Your profile is saved.'],
  ['password', 'Your password is changed. You are signed out everywhere else.'],
  ['deleted', 'The key is deleted. It stops working within five seconds.'],
  ['chosen', 'You work in another account now.'],
  ['accepted', 'You have accepted. The account is among yours now.'],
  ['declined', 'You have declined. The account has nobody by your e-mail any more.'],
  ['sent', 'A mail is on its way. Open its link to confirm your e-mail; it works once, for an hour.'],
]);

type Session = PageCall & { readonly session: string };
type Shown = Partial<Pick<AccountPage, 'done' | 'newKey' | 'form' | 'problem' | 'given'>>;

/** A person's own page and its forms. */
export function accountRoutes(deps: PeopleDeps): PageTable {
  /** A form of the page: after it the page again, with what went wrong or where it goes on. */
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
        return { headers, ...(await show(deps, session, { form, problem, given: call.form.values }, statusOf(error))) };
      }
    };
  return {
    '/account': {
      GET: async (call) => show(deps, signedIn(call), { done: DONE.get(call.query.done ?? '') }),
    },
    '/account/profile': {
      POST: formOf('profile', async ({ session, form, options }) => {
        const profile = profileOfForm(form.values);
        await deps.people.updatePerson({ sessionSha256: sessionHash(session), profile }, options);
        return { goTo: '/account?done=profile' };
      }),
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
    '/account/keys': { POST: formOf('key', (call) => createKey(deps, call)) },
    '/account/keys/delete': {
      POST: formOf(undefined, async (call) => {
        const options = await ownOptions(deps, call);
        if (!options) throw new HttpProblem(403, 'NO_ACCOUNT');
        await deps.people.deleteOwnKey({ keyId: call.form.values.get('id') ?? '' }, options);
        return { goTo: '/account?done=deleted' };
      }),
    },
  };
}

function signedIn(call: PageCall): Session {
  const { session } = call;
  if (session === undefined) throw new DomainError('unauthenticated', 'SESSION_ENDED', 'sign in');
  return { ...call, session };
}

async function createKey(deps: PeopleDeps, call: Session): Promise<PageAnswer> {
  const options = await ownOptions(deps, call);
  if (!options) throw new HttpProblem(403, 'NO_ACCOUNT');
  const { values } = call.form;
  const accessLevel = values.get('accessLevel') ?? '';
  const body = {
    label: values.get('label') ?? '',
    permission: values.get('permission') ?? '',
    accessLevel,
    ...(accessLevel === 'LIMITED_WORKSPACES' && { workspaceIds: values.getAll('workspaceIds') }),
  };
  const { json } = await deps.people.createOwnKey({ body: Buffer.from(JSON.stringify(body)) }, options);
  const { key } = JSON.parse(Buffer.from(json).toString()) as { key: string };
  return show(deps, call, { newKey: key }, 201);
}

async function show(deps: PeopleDeps, call: Session, shown: Shown, status = 200): Promise<PageAnswer> {
  const { session, options } = call;
  const person = await deps.people.getPerson({ sessionSha256: sessionHash(session) }, options);
  const own = isUsable(person) ? await ownOptions(deps, call) : undefined;
  const [keys, workspaces] = own ? await Promise.all([keysOf(deps, own), workspacesOf(deps, own)]) : [undefined, []];
  return { status, page: accountPage({ person, csrf: csrfTokenOf(session), keys, workspaces, ...shown }) };
}

const isUsable = ({ accounts, ownerId }: Person): boolean =>
  accounts.some((one) => one.ownerId === ownerId && one.status === 'ACTIVE');

/** For calls with what the person may do in the account; undefined when that is nothing. @throws when signed out */
async function ownOptions(deps: PeopleDeps, { session, options }: Session): Promise<CallOptions | undefined> {
  const account = await deps.sessions.accountOf(session).catch((error) => {
    if (error instanceof DomainError && error.kind === 'permission_denied' && !isSignedOut(error)) return undefined;
    throw error;
  });
  if (!account || account.isDisabled) return undefined;
  return { ...options, token: await deps.signer.sign(account.caller) };
}

async function keysOf({ people }: PeopleDeps, options: CallOptions): Promise<ShownKey[]> {
  const { json } = await people.listOwnKeys({}, options);
  return JSON.parse(Buffer.from(json).toString()) as ShownKey[];
}

/** The workspaces that the person sees; enough for a choice. */
const WORKSPACES = {
  attr: '_id,name',
  type: 'LIST',
  filter: '_class($match:node.Workspace)',
  sort: 'name',
  limit: 500,
  skip: 0,
  expiry: 0,
} as const;

async function workspacesOf({ nodes }: PeopleDeps, options: CallOptions): Promise<{ _id: string; name: string }[]> {
  const chunks: Uint8Array[] = [];
  for await (const { data } of nodes.listNodes(WORKSPACES, options)) chunks.push(data);
  return JSON.parse(Buffer.concat(chunks).toString()) as { _id: string; name: string }[];
}
