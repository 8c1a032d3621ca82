import type { Link, Profile } from '@catchment/contracts/people';
import type { PageLanguage } from '../../domain/page-language.ts';
import { type FormProblem, field, generalNotice, notice } from '../views/fields.ts';
import { html } from '../views/html.ts';
import { layout } from '../views/layout.ts';
import { PROFILE_FIELDS, profileFields } from './profile-fields.ts';

const PASSWORD_HINT = 'At least 10 characters. A few words that only you would put together are good.';

type SignInPage = {
  readonly email?: string;
  readonly problem?: (FormProblem & { readonly isWrong?: boolean }) | undefined;
  readonly isOut?: boolean;
  /** Page to go on with. */
  readonly next?: string | undefined;
};

/** The pages say this before anybody is known: start, sign-in, a forgotten password. */
const WORDS = {
  en: {
    signIn: 'Sign in',
    email: 'E-mail',
    password: 'Password',
    forgotten: 'Forgotten your password?',
    who: 'Accounts and people are made by whoever runs this installation, or by an administrator of your account.',
    forgotTitle: 'Forgotten password',
    forgotHint: 'You get a mail with a link to choose a new password.',
    sendLink: 'Send the link',
    back: 'Back to sign in',
    sentTitle: 'Look into your mail',
    sent: 'If somebody with this address is known here, a mail with a link is on its way. The link works once, for an hour.',
    nothingCame: 'Nothing came? Look into the spam folder, or ask an administrator of your account.',
    out: 'You are signed out.',
    wrong: 'The e-mail address or the password is wrong.',
  },
  de: {
    signIn: 'Anmelden',
    email: 'E-Mail',
    password: 'Passwort',
    forgotten: 'Passwort vergessen?',
    who: 'Konten und Personen richtet ein, wer diese Installation betreibt, oder ein Administrator Ihres Kontos.',
    forgotTitle: 'Passwort vergessen',
    forgotHint: 'Sie bekommen eine Mail mit einem Link, um ein neues Passwort zu wählen.',
    sendLink: 'Link senden',
    back: 'Zurück zur Anmeldung',
    sentTitle: 'Sehen Sie in Ihre Mail',
    sent: 'Wenn hier jemand mit dieser Adresse bekannt ist, ist eine Mail mit einem Link unterwegs. Der Link gilt einmal, eine Stunde lang.',
    nothingCame: 'Es kam nichts? Sehen Sie in den Spam-Ordner oder fragen Sie einen Administrator Ihres Kontos.',
    out: 'Sie sind abgemeldet.',
    wrong: 'Die E-Mail-Adresse oder das Passwort ist falsch.',
  },
} as const satisfies Record<PageLanguage, object>;

export const signInPage = (language: PageLanguage, { email = '', problem, isOut, next }: SignInPage): string => {
  const text = WORDS[language];
  // The words of the server are English; what people meet most has its own.
  const message = problem?.isWrong ? text.wrong : problem?.message;
  return layout({
    title: text.signIn,
    isNarrow: true,
    language,
    content: html`<h1>${text.signIn}</h1>
${isOut && notice('good', text.out)}${message !== undefined && notice('bad', message)}
<form class="card" method="post" action="/auth/login">
${next !== undefined && html`<input type="hidden" name="next" value="${next}">`}
${field({ name: 'email', label: text.email, value: email, type: 'email', autocomplete: 'username', required: true, maxLength: 254 })}
${field({ name: 'password', label: text.password, type: 'password', autocomplete: 'current-password', required: true })}
<button class="wide">${text.signIn}</button>
</form>
<p><a href="/auth/forgot">${text.forgotten}</a></p>
<p class="hint">${text.who}</p>`,
  });
};

export const forgotPage = (language: PageLanguage, { email = '', problem }: SignInPage): string => {
  const text = WORDS[language];
  return layout({
    title: text.forgotTitle,
    isNarrow: true,
    language,
    content: html`<h1>${text.forgotten}</h1>
${generalNotice(problem, ['email'])}
<form class="card" method="post" action="/auth/forgot">
${field({
  name: 'email',
  label: text.email,
  value: email,
  type: 'email',
  autocomplete: 'username',
  required: true,
  maxLength: 254,
  hint: text.forgotHint,
  problem,
})}
<button class="wide">${text.sendLink}</button>
</form>
<p><a href="/auth/login">${text.back}</a></p>`,
  });
};

export const forgotSentPage = (language: PageLanguage): string => {
  const text = WORDS[language];
  return layout({
    title: text.sentTitle,
    isNarrow: true,
    language,
    content: html`<h1>${text.sentTitle}</h1>
<p>${text.sent}</p>
<p>${text.nothingCame}</p>
<p><a href="/auth/login">${text.back}</a></p>`,
  });
};

/** Shows the page behind the link of a mail: the first password with the profile, or a new one. */
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
