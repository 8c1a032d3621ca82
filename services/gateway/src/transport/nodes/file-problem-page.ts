import type { Reason } from '@catchment/errors';
import type { HttpProblem } from '../response/problem.ts';
import { html } from '../views/html.ts';
import { layout } from '../views/layout.ts';

const TEXTS: Readonly<Partial<Record<Reason, readonly [title: string, advice: string]>>> = {
  LINK_EXPIRED: [
    'This link has expired',
    'Links to files can be made for a limited time. Ask whoever gave it to you for a new one.',
  ],
  LINK_NOT_VALID: [
    'This link is not valid',
    'It may have been cut off or changed on its way. Copy the whole link, or ask for it again.',
  ],
  NOT_FOUND: ['This file is not here any more', 'It has been deleted since the link was made.'],
};

const BY_STATUS: Readonly<Partial<Record<number, readonly [string, string]>>> = {
  403: ['This file cannot be opened', 'The account that it belongs to is disabled.'],
  429: ['Too many requests', 'Wait some minutes, then try again.'],
  503: ['Not available at the moment', 'Catchment is starting, or a part of it is away. Try again in half a minute.'],
};

/** Tells the person who followed a link to a file why it opens nothing. */
export function fileProblemPage({ status, reason }: HttpProblem): string {
  const [title, advice] = TEXTS[reason] ??
    BY_STATUS[status] ?? ['Something went wrong', 'Try again. If it happens again, inform whoever gave you the link.'];
  return layout({ title, isNarrow: true, content: html`<h1>${title}</h1><p>${advice}</p>` });
}
