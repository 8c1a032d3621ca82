/** Of a message and of an event (docs/reference/limits.md). */
export const MESSAGE_MAX_CHARACTERS = 500;
/** Marks of an expression (docs/reference/expressions.md): such a text needs rendering; until then the usual text stands in for it. */
const EXPRESSION = /\{\{|\{%/;

/** What an alarm shows: its custom message, or the usual text where it has none. */
export const shownMessage = (custom: string, usual: string): string =>
  (custom === '' || EXPRESSION.test(custom) ? usual : custom).slice(0, MESSAGE_MAX_CHARACTERS);
