import { invalid } from '@catchment/errors';

/** The escape of half a character; hardly any document has one. */
const SURROGATE_ESCAPE = /\\u[dD][89a-fA-F]/;
/** Of a name in a message. */
const MAX_SHOWN = 40;

type Place = { readonly value: unknown; readonly name: string | number; readonly within: Place | undefined };

/** Whether the texts of a document must be checked: without such an escape, UTF-8 can hold no half of a character. */
export const mayHoldHalfCharacters = (text: string): boolean => SURROGATE_ESCAPE.test(text);

/**
 * Refuses texts and names that hold half of a surrogate pair: no store can keep them as they are. No recursion: small documents may nest
 * as deep as they like.
 * @throws DomainError invalid_argument naming the place
 */
export function checkTexts(document: unknown): void {
  const left: Place[] = [{ value: document, name: '', within: undefined }];
  for (let place = left.pop(); place; place = left.pop()) {
    const { value } = place;
    if (typeof value === 'string' && !value.isWellFormed()) throw halfCharacter(place, 'must be');
    if (typeof value !== 'object' || value === null) continue;
    const isArray = Array.isArray(value);
    for (const [name, inner] of Object.entries(value)) {
      if (!name.isWellFormed()) throw halfCharacter(place, 'must have names of');
      left.push({ value: inner, name: isArray ? Number(name) : name, within: place });
    }
  }
}

const halfCharacter = (place: Place, must: string) =>
  invalid('INVALID_TEXT', `${pathOf(place)}: ${must} well-formed Unicode, without half of a surrogate pair`);

/** Such as `metadata[0].value`. */
function pathOf(place: Place): string {
  let path = '';
  for (let at: Place | undefined = place; at?.within; at = at.within) {
    const isTop = at.within.within === undefined;
    const part = typeof at.name === 'number' ? `[${at.name}]` : `${isTop ? '' : '.'}${shortened(at.name)}`;
    path = part + path;
  }
  return path === '' ? 'body' : path.slice(0, 4 * MAX_SHOWN);
}

const shortened = (name: string): string =>
  [...name.slice(0, 2 * MAX_SHOWN)].slice(0, MAX_SHOWN).join('').toWellFormed();
