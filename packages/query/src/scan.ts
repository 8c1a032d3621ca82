/** Characters that a backslash makes literal (docs/reference/query-arguments.md#filter, docs/reference/query-arguments.md#params). */
const ESCAPABLE = new Set(['(', ')', ',', '|', ';', '\\']);

const isEscape = (text: string, at: number): boolean => text[at] === '\\' && ESCAPABLE.has(text[at + 1] ?? '');

/** The text with `\(` and the like turned into their character; any other backslash stands for itself. */
export function unescapeText(text: string): string {
  if (!text.includes('\\')) return text;
  let result = '';
  for (let at = 0; at < text.length; at++) {
    if (isEscape(text, at)) at++;
    result += text[at];
  }
  return result;
}

/** Returns the index of the `)` that closes the `(` at `open`, or -1. Escaped parentheses do not count. */
export function closingParenthesis(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at++) {
    if (isEscape(text, at)) at++;
    else if (text[at] === '(') depth++;
    else if (text[at] === ')' && --depth === 0) return at;
  }
  return -1;
}

/** Splits at `separator` outside parentheses; escapes stay in the parts. Undefined when parentheses do not balance. */
export function splitTopLevel(text: string, separator: string): string[] | undefined {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (isEscape(text, at)) at++;
    else if (character === '(') depth++;
    else if (character === ')' && --depth < 0) return undefined;
    else if (character === separator && depth === 0) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  if (depth !== 0) return undefined;
  parts.push(text.slice(from));
  return parts;
}
