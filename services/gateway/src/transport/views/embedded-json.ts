import { Html } from './html.ts';

/** JSON that ends no element of the page, whatever texts it has. */
export const embeddedJson = (value: unknown): Html => new Html(JSON.stringify(value).replaceAll('<', '\\u003c'));
