/** C0, DEL and C1; separators of lines and paragraphs; characters that turn the direction of what follows (UAX #9). */
const CONTROLS = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;
const BREAKS: ReadonlySet<string> = new Set(['\t', '\n', '\r']);

/**
 * Returns the problem with the characters of a text that people give: the one rule for all names, labels and messages. They appear in
 * mails, headers, event logs and pages, where a line break begins something else and a turned direction makes one name look like another.
 * @param options.lines line breaks and tabs may be in it
 * @returns the rule that is broken, for a refusal; undefined = none
 */
export function textProblem(text: string, options: { readonly lines?: boolean } = {}): string | undefined {
  if (!text.isWellFormed()) return 'must be well-formed Unicode';
  const { lines = false } = options;
  for (const [character] of text.matchAll(CONTROLS))
    if (!lines || !BREAKS.has(character))
      return lines
        ? 'must not contain control characters other than line breaks and tabs'
        : 'must not contain control characters';
  return undefined;
}

/** Returns the text on one line, with a space in place of each control character: for stored texts that can no longer be refused. */
export const onOneLine = (text: string): string => text.toWellFormed().replaceAll(CONTROLS, ' ');
