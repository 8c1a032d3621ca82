import type { Person } from '@catchment/contracts/people';
import { checkbox, type FormProblem, field, generalNotice, notice, select } from './fields.ts';
import { type Html, html } from './html.ts';
import { layout } from './layout.ts';
import { PROFILE_FIELDS, profileFields } from './profile-fields.ts';

/** A key as the API shows it. */
export type ShownKey = {
  readonly _id: string;
  readonly label: string;
  readonly last4: string;
  readonly permission: string;
  readonly accessLevel: string;
  readonly workspaceIds?: readonly string[];
  readonly createdTime: string;
  readonly lastUsedTime?: string;
};

export type AccountPage = {
  readonly person: Person;
  readonly csrf: string;
  /** undefined = no account, or a disabled one. */
  readonly keys: readonly ShownKey[] | undefined;
  readonly workspaces: readonly { readonly _id: string; readonly name: string }[];
  readonly done?: string | undefined;
  /** Whole, this once. */
  readonly newKey?: string | undefined;
  /** Which form failed, and why. */
  readonly form?: 'profile' | 'password' | 'key' | 'invitation' | 'confirm' | undefined;
  readonly problem?: FormProblem | undefined;
  /** The fields of the form that failed. */
  readonly given?: URLSearchParams | undefined;
};

const STANDINGS: Readonly<Record<string, string>> = {
  OWNER: 'the owner',
  ADMINISTRATOR: 'an administrator',
  MANAGER: 'an account manager',
  USER: 'a workspace user',
};
const LEVELS: Readonly<Record<string, string>> = {
  ACCOUNT: 'the account and all workspaces',
  WORKSPACES: 'all workspaces',
  LIMITED_WORKSPACES: 'some workspaces',
};
const PERMISSIONS: Readonly<Record<string, string>> = { READ_ONLY: 'reads', MODIFY: 'reads and changes' };

/** A person's own page: who, where, profile, password, keys. */
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
${keys(page)}
${profile(page)}
${password(page)}`,
  });
}

const nameOf = ({ email, profile }: Person): string =>
  `${profile?.firstName ?? ''} ${profile?.lastName ?? ''}`.trim() || email;
const token = (csrf: string): Html => html`<input type="hidden" name="csrf" value="${csrf}">`;
const problemOf = (page: AccountPage, form: AccountPage['form']) => (page.form === form ? page.problem : undefined);

function accounts({ person, csrf }: AccountPage): Html {
  const { accounts: all, ownerId, email } = person;
  const current = all.find((one) => one.ownerId === ownerId);
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
  options: all.map((one) => ({
    value: one.ownerId,
    label: `${one.accountName} (${(STANDINGS[one.standing] ?? '').replace(/^\w+ /, '')}${one.status === 'ACTIVE' ? '' : ', disabled'})`,
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
<ul class="keys">${person.invitations.map((one) => invitationItem(one, csrf))}</ul></section>`;
}

function invitationItem(one: Person['invitations'][number], csrf: string): Html {
  const form = (action: 'accept' | 'decline', button: Html) =>
    html`<form method="post" action="/account/invitations/${action}">${token(csrf)}<input type="hidden" name="id" value="${one.invitationId}">${button}</form>`;
  const since = new Date(one.createdMs).toISOString();
  return html`<li><div class="what"><strong>${one.accountName}</strong>${GIVEN[one.standing]}
<br><span class="hint"><code>${one.slug}</code>, since ${minuteOf(since)}</span></div><div class="answers">${form(
    'accept',
    html`<button aria-label="Accept ${one.accountName}">Accept</button>`,
  )}${
    one.standing !== 'OWNER' &&
    form('decline', html`<button class="quiet" aria-label="Decline ${one.accountName}">Decline</button>`)
  }</div></li>`;
}

/** For people whose e-mail is not proven yet. */
function confirmation(page: AccountPage): Html | false {
  const { person, csrf } = page;
  if (person.isProven) return false;
  const problem = problemOf(page, 'confirm');
  return html`<section id="confirm"><h2>Confirm your e-mail</h2>${generalNotice(problem, [])}
<p>Nobody has shown yet that <strong>${person.email}</strong> is yours. What other accounts give to this address waits until then.</p>
<form method="post" action="/account/confirm">${token(csrf)}<button class="quiet">Send me the mail</button></form>
<p class="hint">Its link lets you choose a new password.</p></section>`;
}

function keys(page: AccountPage): Html {
  const { csrf, keys: all, workspaces, newKey, person } = page;
  if (!all) return html``;
  const problem = problemOf(page, 'key');
  const given = page.form === 'key' ? page.given : undefined;
  const standing = person.accounts.find(({ ownerId }) => ownerId === person.ownerId)?.standing;
  const levels = ['WORKSPACES', 'LIMITED_WORKSPACES', ...(standing === 'USER' ? [] : ['ACCOUNT'])];
  const chosen = new Set(given?.getAll('workspaceIds'));
  const shown = ['label', 'permission', 'accessLevel'];
  return html`<section id="keys"><h2>Your API keys</h2>
${
  newKey &&
  html`<div class="note good" role="status"><p><strong>Your new key.</strong> Keep it now: it is not shown again.</p>
<code class="key" id="new-key">${newKey}</code></div>`
}
<p class="hint">Programs send a key in the header <code>X-Api-Key</code>. A key never does more than you may do yourself.</p>
${
  all.length === 0
    ? html`<p class="none">You have made no key in this account.</p>`
    : html`<ul class="keys">${all.map((key) => keyItem(key, csrf, workspaces))}</ul>`
}
<details${(problem !== undefined || all.length === 0) && html` open`}><summary>Make a key</summary>
<form method="post" action="/account/keys">${token(csrf)}${generalNotice(problem, shown)}
${field({ name: 'label', label: 'Label', value: given?.get('label') ?? '', required: true, maxLength: 120, hint: 'What it is for, so that you know it again.', problem })}
<div class="pair">
${select({
  name: 'permission',
  label: 'It may',
  value: given?.get('permission') ?? 'READ_ONLY',
  options: [
    { value: 'READ_ONLY', label: 'read' },
    { value: 'MODIFY', label: 'read and change' },
  ],
  problem,
})}
${select({
  name: 'accessLevel',
  label: 'In',
  value: given?.get('accessLevel') ?? 'WORKSPACES',
  options: levels.map((value) => ({ value, label: LEVELS[value] ?? '' })),
  problem,
})}
</div>
${
  workspaces.length > 0 &&
  html`<fieldset><legend>Which ones, for a key of some workspaces</legend>
<div class="list">${workspaces.map(({ _id, name }) => checkbox('workspaceIds', name, chosen.has(_id), _id))}</div></fieldset>`
}
<button>Make the key</button></form></details></section>`;
}

function keyItem(key: ShownKey, csrf: string, workspaces: AccountPage['workspaces']): Html {
  const names = (key.workspaceIds ?? []).map((id) => workspaces.find(({ _id }) => _id === id)?.name ?? 'a deleted one');
  const where = key.accessLevel === 'LIMITED_WORKSPACES' ? names.join(', ') || 'no workspace' : LEVELS[key.accessLevel];
  const used = key.lastUsedTime === undefined ? 'not used yet' : `last used ${minuteOf(key.lastUsedTime)}`;
  return html`<li><div class="what"><strong>${key.label}</strong>
${PERMISSIONS[key.permission]}: ${where}<br><span class="hint">ends in <code>${key.last4}</code>, made ${minuteOf(key.createdTime)}, ${used}</span></div>
<details><summary>Delete</summary><form method="post" action="/account/keys/delete">${token(csrf)}
<input type="hidden" name="id" value="${key._id}"><button class="danger" aria-label="Delete the key ${key.label}">Delete for good</button></form></details></li>`;
}

const minuteOf = (time: string): string => `${time.slice(0, 16).replace('T', ' ')} UTC`;

function profile(page: AccountPage): Html {
  const problem = problemOf(page, 'profile');
  const stored = page.person.profile;
  const given = page.form === 'profile' ? page.given : undefined;
  const shown = given ? profileOfForm(given) : stored;
  return html`<section><h2>Profile</h2><form method="post" action="/account/profile">${token(page.csrf)}
${generalNotice(problem, PROFILE_FIELDS)}${shown && profileFields(shown, problem)}
<button>Save the profile</button></form></section>`;
}

/** A profile as a form sends it. */
export const profileOfForm = (form: URLSearchParams): NonNullable<Person['profile']> => ({
  firstName: form.get('firstName') ?? '',
  lastName: form.get('lastName') ?? '',
  phone: form.get('phone') ?? '',
  timezone: form.get('timezone') ?? '',
  timezoneAdjustForDst: form.has('timezoneAdjustForDst'),
  timeFormat: form.get('timeFormat') ?? '',
});

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
