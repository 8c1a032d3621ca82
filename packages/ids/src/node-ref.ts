import { normaliseObjectId } from './object-id.ts';

export type NodeRef = { kind: 'id'; id: string } | { kind: 'customId'; customId: string };

const CUSTOM_ID_MAX_CHARACTERS = 255;
/**
 * See docs/reference/requests-and-errors.md#node-references; `\p{C}` holds control characters, surrogates and format
 * characters such as zero-width space.
 */
const FORBIDDEN = /[.\s\p{C}/\\?#%&+,;:(){}[\]<>"'@|]/u;

/** Returns the rule that a customId (without its `@`) breaks, as the end of a sentence, or undefined when it is fine. */
export function customIdProblem(customId: string): string | undefined {
  // The UTF-16 length bounds the work before code points are counted.
  if (customId.length === 0) return 'must not be empty';
  if (customId.length > 2 * CUSTOM_ID_MAX_CHARACTERS || [...customId].length > CUSTOM_ID_MAX_CHARACTERS) {
    return `must have at most ${CUSTOM_ID_MAX_CHARACTERS} characters`;
  }
  if (FORBIDDEN.test(customId)) {
    return 'must not contain a dot, white space, control characters or any of / \\ ? # % & + , ; : ( ) { } [ ] < > " \' @ |';
  }
  return undefined;
}

/** The stored form of a customId given in an update: without one leading `@`. Check it with `customIdProblem`. */
export const storedCustomId = (text: string): string => (text.startsWith('@') ? text.slice(1) : text);

/**
 * Parses a node reference as clients write it: 24 hex in either case or `@<customId>`, already percent-decoded.
 * @returns undefined for anything else (a path answers 404, an argument or body 400)
 */
export function parseNodeRef(text: string): NodeRef | undefined {
  if (text.startsWith('@')) {
    const customId = text.slice(1);
    return customIdProblem(customId) === undefined ? { kind: 'customId', customId } : undefined;
  }
  const id = normaliseObjectId(text);
  return id === undefined ? undefined : { kind: 'id', id };
}
