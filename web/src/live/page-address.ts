import { signal } from '@preact/signals';
import { withArguments } from './requests.ts';
import { type Part, partsOf, withoutParts, withPart } from './zoom-address.ts';

/** The address of the page, without a slash at its end; views and streams lie below it. */
export const base = location.pathname.replace(/\/+$/, '');

/** The arguments that the page was opened with, such as a zone, hold for all that it asks for; parts of charts are the page's own. */
export const query = withoutParts(location.search);

/** Adds arguments to an address for data of this page. */
export const dataAddress = (address: string, values: Readonly<Record<string, string | number>> = {}): string =>
  withArguments(address, { ...Object.fromEntries(new URLSearchParams(query)), ...values });

const app = () => document.getElementById('app')!;

export const hasHeader = (): boolean =>
  app().dataset.header !== 'none' && new URLSearchParams(query).get('header') !== 'none';

/** Signed-in people get the token, which their requests for changes must carry. */
export const csrfToken = (): string | undefined => app().dataset.csrf;

/** Steps back and forward that people have made. */
const steps = signal(0);
/** The address is still the one before until the browser has gone back. */
let isGoingBack = false;

addEventListener('popstate', () => {
  if (!isGoingBack) steps.value += 1;
  isGoingBack = false;
});

/** Returns the part of a chart that the address names; an effect that reads it runs again when people go back and forward. */
export const partInAddress = (tileId: string): Part | undefined =>
  steps.value >= 0 ? partsOf(location.search).get(tileId) : undefined;

/**
 * Puts the part that a chart shows into the address. The first one is a step that «back» takes back, others take its place, and showing
 * everything again is that way back.
 */
export function keepPart(tileId: string, part: Part | undefined): void {
  if (isGoingBack) {
    addEventListener('popstate', () => keepPart(tileId, part), { once: true });
    return;
  }
  const search = withPart(location.search, tileId, part);
  if (search === location.search) return;
  const isFirst = withoutParts(location.search) === location.search;
  const isLast = withoutParts(search) === search;
  const address = `${location.pathname}${search}${location.hash}`;
  // The way back within another page is that of the other page.
  if (isFirst && window.parent === window) history.pushState('zoomed', '', address);
  else if (isLast && history.state === 'zoomed') {
    isGoingBack = true;
    history.back();
  } else history.replaceState(history.state, '', address);
}
