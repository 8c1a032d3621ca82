import type { Link, Profile } from '@catchment/contracts/people';
import { type FormProblem, field, generalNotice, notice } from './fields.ts';
import { html } from './html.ts';
import { layout } from './layout.ts';
import { PROFILE_FIELDS, profileFields } from './profile-fields.ts';

const PASSWORD_HINT = 'At least 10 characters. A few words that only you would put together are good.';

type SignInPage = {
  readonly email?: string;
  readonly problem?: FormProblem | undefined;
  readonly done?: string | undefined;
  /** Page to go on with. */
  readonly next?: string | undefined;
};

export const signInPage = ({ email = '', problem, done, next }: SignInPage): string =>
  layout({
    title: 'Sign in',
    isNarrow: true,
    content: html`<h1>Sign in</h1>
${done && notice('good', done)}${problem && notice('bad', problem.message)}
<form class="card" method="post" action="/auth/login">
${next !== undefined && html`<input type="hidden" name="next" value="${next}">`}
${field({ name: 'email', label: 'E-mail', value: email, type: 'email', autocomplete: 'username', required: true, maxLength: 254 })}
${field({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password', required: true })}
<button class="wide">Sign in</button>
</form>
<p><a href="/auth/forgot">Forgotten your password?</a></p>
<p class="hint">Accounts and people are made by whoever runs this installation, or by an administrator of your account.</p>`,
  });

export const forgotPage = ({ email = '', problem }: SignInPage): string =>
  layout({
    title: 'Forgotten password',
    isNarrow: true,
    content: html`<h1>Forgotten your password?</h1>
${generalNotice(problem, ['email'])}
<form class="card" method="post" action="/auth/forgot">
${field({
  name: 'email',
  label: 'E-mail',
  value: email,
  type: 'email',
  autocomplete: 'username',
  required: true,
  maxLength: 254,
  hint: 'You get a mail with a link to choose a new password.',
  problem,
})}
<button class="wide">Send the link</button>
</form>
<p><a href="/auth/login">Back to sign in</a></p>`,
  });

export const forgotSentPage = (): string =>
  layout({
    title: 'Look into your mail',
    isNarrow: true,
    content: html`<h1>Look into your mail</h1>
<p>If somebody with this address is known here, a mail with a link is on its way. The link works once, for an hour.</p>
<p>Nothing came? Look into the spam folder, or ask an administrator of your account.</p>
<p><a href="/auth/login">Back to sign in</a></p>`,
  });

/** Behind the link of a mail: the first password with the profile, or a new one. */
export function linkPage(
  link: Link,
  action: string,
  given: { profile?: Profile | undefined; problem?: FormProblem | undefined },
): string {
  const isNew = link.purpose === 'activate';
  const { problem } = given;
  const profile = given.profile ?? link.profile;
  const shown = ['password', 'repeat', ...(isNew ? PROFILE_FIELDS : [])];
  return layout({
    title: isNew ? 'Finish your profile' : 'Choose a new password',
    isNarrow: true,
    content: html`<h1>${isNew ? 'Finish your profile' : 'Choose a new password'}</h1>
<p>${isNew ? 'Welcome. Choose a password and check what is known of you; then you are signed in.' : 'You are signed in with it at once, and signed out everywhere else.'}</p>
${generalNotice(problem, shown)}
<form class="card" method="post" action="${action}">
<div class="row"><label for="email">E-mail</label>
<input id="email" type="email" value="${link.email}" autocomplete="username" readonly></div>
${field({ name: 'password', label: 'New password', type: 'password', autocomplete: 'new-password', required: true, minLength: 10, hint: PASSWORD_HINT, problem })}
${field({ name: 'repeat', label: 'The same again', type: 'password', autocomplete: 'new-password', required: true, minLength: 10, problem })}
${isNew && profile && profileFields(profile, problem)}
<button class="wide">${isNew ? 'Finish' : 'Save the new password'}</button>
</form>`,
  });
}

export const linkGonePage = (): string =>
  layout({
    title: 'This link does not work any more',
    isNarrow: true,
    content: html`<h1>This link does not work any more</h1>
<p>It has been used already, or is too old: links work once, and only for some days.</p>
<ul class="links">
<li>You have a password: <a href="/auth/login">sign in</a>.</li>
<li>You have none: <a href="/auth/forgot">get a new link</a> by mail, or ask an administrator of your account.</li>
</ul>`,
  });

/** A failure, with advice. */
export const problemPage = (title: string, advice: string): string =>
  layout({
    title,
    isNarrow: true,
    content: html`<h1>${title}</h1><p>${advice}</p><p><a href="/account">Go on</a></p>`,
  });
