import type { Reason } from '@catchment/errors';
import type { HttpProblem } from '../response/problem.ts';
import { html } from '../views/html.ts';
import { layout } from '../views/layout.ts';

type Text = readonly [title: string, advice: string];

const TEXTS: Readonly<Partial<Record<Reason, Text>>> = {
  NOT_FOUND: [
    'This page does not exist',
    'The link may have been cut off on its way, or replaced by a new one. Ask whoever gave it to you.',
  ],
  NOT_PUBLIC: [
    'This page is not public',
    'Its owner has ended public access. Ask whoever gave you the link, or sign in if you have an account.',
  ],
  ACCOUNT_DISABLED: ['This page is closed', 'The account that it belongs to is disabled.'],
  NO_PUBLIC_ACCESS: ['This page is closed', 'The account that it belongs to has no public pages.'],
  NO_CHROMIUM: [
    'Reports cannot be made here',
    'They are printed by Chromium, which this installation does not have. Whoever runs it installs one (Debian and Ubuntu: apt install chromium); then open this page again.',
  ],
  FRONT_END_MISSING: [
    'The pages are not built',
    'Whoever runs this installation builds them with “npm run build”. Charts and records are there without: add “?format=PNG” or “?format=CSV” to their links.',
  ],
};

const BY_STATUS: Readonly<Partial<Record<number, Text>>> = {
  403: ['You may not see this page', 'An administrator of the account can give you access.'],
  413: ['That is too much', 'Ask for a shorter range or a smaller picture.'],
  429: ['Too many requests', 'Wait some minutes, then try again.'],
  503: ['Not available at the moment', 'Catchment is starting, or a part of it is away. Try again in half a minute.'],
};

/** Tells people why a page is not shown, and what to do. */
export function pageProblem({ status, reason, message }: HttpProblem): string {
  const [title, advice] =
    (status === 400 ? (['That cannot be shown', `The address is not right: ${message}.`] as const) : undefined) ??
    TEXTS[reason] ??
    BY_STATUS[status] ??
    (['Something went wrong', 'Try again. If it happens again, inform whoever gave you the link.'] as const);
  return layout({ title, isNarrow: true, content: html`<h1>${title}</h1><p>${advice}</p>` });
}
