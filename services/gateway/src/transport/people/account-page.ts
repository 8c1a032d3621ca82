import type { Person, Profile } from '@catchment/contracts/people';
import { type FormProblem, field, generalNotice, notice, select } from '../views/fields.ts';
import { type Html, html } from '../views/html.ts';
import { layout } from '../views/layout.ts';
import { PROFILE_FIELDS, profileFields } from './profile-fields.ts';

export type AccountPage = {
  readonly person: Person;
  readonly csrf: string;
  readonly done?: string | undefined;
  /** This form failed, and why. */
  readonly form?: 'password' | 'invitation' | 'confirm' | 'profile' | undefined;
  readonly problem?: FormProblem | undefined;
  /** The profile was typed like this, where it was refused. */
  readonly typed?: Profile | undefined;
};

const STANDINGS: Readonly<Record<string, string>> = {
  OWNER: 'the owner',
  ADMINISTRATOR: 'an administrator',
  MANAGER: 'an account manager',
  USER: 'a workspace user',
};
/** Shows a person's page: who, where, password. The console shows what the person has in an account. */
export function accountPage(page: AccountPage): string {
  const { person, csrf, done } = page;
  const signOut = html`<form method="post" action="/auth/logout">${token(csrf)}<button class="quiet">Sign out</button></form>`;
  return layout({
    title: 'Your account',
    aside: html`${person.accounts.length > 0 && html`<a href="/a">Open the console</a>`}${signOut}`,
    content: html`<h1>${nameOf(person)}</h1>
${done && notice('good', done)}
${invitations(page)}
${accounts(page)}
${confirmation(page)}
${own(page)}
${password(page)}`,
  });
}

const nameOf = ({ email, profile }: Person): string =>
  `${profile?.firstName ?? ''} ${profile?.lastName ?? ''}`.trim() || email;
const token = (csrf: string): Html => html`<input type="hidden" name="csrf" value="${csrf}">`;
const problemOf = (page: AccountPage, form: AccountPage['form']) => (page.form === form ? page.problem : undefined);

function accounts({ person, csrf }: AccountPage): Html {
  const { accounts: all, ownerId, email } = person;
  const current = all.find((account) => account.ownerId === ownerId);
  const signedIn = html`<p>Signed in as <strong>${email}</strong>.</p>`;
  if (!current)
    return html`<section><h2>Account</h2>${signedIn}<p class="none">You have access to no account at the moment. An administrator of one can give it to you.</p></section>`;
  const standing = STANDINGS[current.standing] ?? '';
  const disabled = current.status !== 'ACTIVE' && notice('bad', 'This account is disabled: nothing in it can be used.');
  const choice = html`<form class="inline" method="post" action="/account/choose">${token(csrf)}
${select({
  name: 'account',
  label: 'Work in another account',
  value: ownerId,
  options: all.map((account) => ({
    value: account.ownerId,
    label: `${account.accountName} (${(STANDINGS[account.standing] ?? '').replace(/^\w+ /, '')}${account.status === 'ACTIVE' ? '' : ', disabled'})`,
  })),
})}<button class="quiet">Change</button></form>`;
  return html`<section><h2>${current.accountName}</h2>${signedIn}
<p>You are ${standing} of the account <code>${current.slug}</code>.</p>${disabled}${all.length > 1 && choice}</section>`;
}

const GIVEN: Readonly<Record<string, string>> = {
  OWNER: 'wants you as its owner',
  ADMINISTRATOR: 'wants you as an administrator',
  USER: 'gives you access to workspaces',
};

/** Invitations of other accounts, each to be accepted or declined. */
function invitations(page: AccountPage): Html | false {
  const { person, csrf } = page;
  const problem = problemOf(page, 'invitation');
  if (person.invitations.length === 0) return problem !== undefined && notice('bad', problem.message);
  return html`<section id="invitations"><h2>Waiting for your answer</h2>${generalNotice(problem, [])}
<p class="hint">Access begins when you accept. Until then these accounts see nothing of your profile.</p>
<ul class="keys">${person.invitations.map((invitation) => invitationItem(invitation, csrf))}</ul></section>`;
}

function invitationItem(invitation: Person['invitations'][number], csrf: string): Html {
  const form = (action: 'accept' | 'decline', button: Html) =>
    html`<form method="post" action="/account/invitations/${action}">${token(csrf)}<input type="hidden" name="id" value="${invitation.invitationId}">${button}</form>`;
  const since = new Date(invitation.createdMs).toISOString();
  return html`<li><div class="what"><strong>${invitation.accountName}</strong>${GIVEN[invitation.standing]}
<br><span class="hint"><code>${invitation.slug}</code>, since ${minuteOf(since)}</span></div><div class="answers">${form(
    'accept',
    html`<button aria-label="Accept ${invitation.accountName}">Accept</button>`,
  )}${
    invitation.standing !== 'OWNER' &&
    form('decline', html`<button class="quiet" aria-label="Decline ${invitation.accountName}">Decline</button>`)
  }</div></li>`;
}

/** This part is for people whose e-mail is not proven yet. */
function confirmation(page: AccountPage): Html | false {
  const { person, csrf } = page;
  if (person.isProven) return false;
  const problem = problemOf(page, 'confirm');
  return html`<section id="confirm"><h2>Confirm your e-mail</h2>${generalNotice(problem, [])}
<p>Nobody has shown yet that <strong>${person.email}</strong> is yours. What other accounts give to this address waits until then.</p>
<form method="post" action="/account/confirm">${token(csrf)}<button class="quiet">Send me the mail</button></form>
<p class="hint">Its link lets you choose a new password.</p></section>`;
}

/**
 * Shows where the console has what is the person's. A person without a working account has no console: the profile is
 * here then.
 */
function own(page: AccountPage): Html | false {
  const { person } = page;
  const current = person.accounts.find(({ ownerId, status }) => ownerId === person.ownerId && status === 'ACTIVE');
  if (!current) return profile(page);
  const at = (part: string, text: string) => html`<li><a href="/a/${current.slug}/me/${part}">${text}</a></li>`;
  return html`<section><h2>Your own</h2><ul>${at('profile', 'Profile')}${at('keys', 'API keys')}${at('notifications', 'Notifications')}${at('sign-ins', 'Sign-ins')}</ul></section>`;
}

function profile(page: AccountPage): Html | false {
  const shown = page.typed ?? page.person.profile;
  const problem = problemOf(page, 'profile');
  return (
    shown !== undefined &&
    html`<section><h2>Profile</h2><form method="post" action="/account/profile">${token(page.csrf)}
${generalNotice(problem, PROFILE_FIELDS)}${profileFields(shown, problem)}
<button>Save the profile</button></form></section>`
  );
}

const minuteOf = (time: string): string => `${time.slice(0, 16).replace('T', ' ')} UTC`;

function password(page: AccountPage): Html {
  const problem = problemOf(page, 'password');
  return html`<section><h2>Password</h2><form method="post" action="/account/password">${token(page.csrf)}
<input type="hidden" name="username" value="${page.person.email}" autocomplete="username">
${generalNotice(problem, ['current', 'password', 'repeat'])}
${field({ name: 'current', label: 'Current password', type: 'password', autocomplete: 'current-password', required: true, problem })}
${field({ name: 'password', label: 'New password', type: 'password', autocomplete: 'new-password', required: true, minLength: 10, hint: 'At least 10 characters. You are signed out everywhere else.', problem })}
${field({ name: 'repeat', label: 'The same again', type: 'password', autocomplete: 'new-password', required: true, minLength: 10, problem })}
<button>Change the password</button></form></section>`;
}
