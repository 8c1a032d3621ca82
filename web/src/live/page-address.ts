import { withArguments } from './requests.ts';

/** Of the page, without a slash at its end; views and streams lie below it. */
export const base = location.pathname.replace(/\/+$/, '');

/** What the page was opened with, such as a zone, holds for all that it asks for. */
export const query = location.search;

/** An address for data of this page, with arguments of its own. */
export const dataAddress = (address: string, values: Readonly<Record<string, string | number>> = {}): string =>
  withArguments(address, { ...Object.fromEntries(new URLSearchParams(query)), ...values });

const app = () => document.getElementById('app')!;

export const hasHeader = (): boolean =>
  app().dataset.header !== 'none' && new URLSearchParams(query).get('header') !== 'none';

/** Given to signed-in people, whose requests for changes must carry it. */
export const csrfToken = (): string | undefined => app().dataset.csrf;
