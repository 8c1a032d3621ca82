/**
 * A text must be this to be kept, whoever sends it: PostgreSQL takes no U+0000, in jsonb least of all, and no UTF-8 can
 * hold half of a surrogate pair. Everything else is kept as it is. What has narrower rules of its own (XML, headers of mails, names) looks
 * after them where it is written.
 */
export const STORABLE_TEXT = 'well-formed Unicode, without half of a surrogate pair and without the character U+0000';

/** Returns whether every store can keep the text as it is. */
export const isStorableText = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/** Puts U+FFFD in place of what no store can keep, in texts of machines, which nobody can be asked to send again. */
export const storableText = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd');

/** Puts U+FFFD in place of every control character too, where a text that may hold anything is shown. */
export const printable = (text: string): string => storableText(text).replaceAll(/\p{Cc}/gu, '\ufffd');
