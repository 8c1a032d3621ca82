/** The operator has installed this plug-in. */
export type Converter = { readonly id: string; readonly name: string; readonly code: string };

const ID = /^[a-z0-9][a-z0-9._-]{0,59}$/;
const MAX_CHARACTERS = 1024 * 1024;

/**
 * Reads the text of a plug-in: a comment `/* {"id": …, "name": …} *\/` is its first part, then its code.
 * @returns what is wrong with it: a sentence for the operator
 */
export function readConverter(code: string): Converter | { readonly problem: string } {
  if (code.length > MAX_CHARACTERS) return { problem: `has more than ${MAX_CHARACTERS} characters` };
  const [, text] = /^\s*\/\*\s*(\{.*?\})\s*\*\//s.exec(code.replace(/^\uFEFF/, '')) ?? [];
  if (text === undefined)
    return { problem: 'must begin with a comment that is a JSON object: /* {"id": …, "name": …} */' };
  let manifest: unknown;
  try {
    manifest = JSON.parse(text);
  } catch {
    return { problem: 'the comment at its beginning is no JSON' };
  }
  const { id, name } = manifest as { readonly id?: unknown; readonly name?: unknown };
  if (typeof id !== 'string' || !ID.test(id)) return { problem: `id: must match ${ID.source}` };
  if (typeof name !== 'string' || name === '' || name.length > 120)
    return { problem: 'name: must be 1 to 120 characters' };
  return { id, name, code };
}
