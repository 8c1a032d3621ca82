import { invalid } from '@catchment/errors';
import { isStorableText, STORABLE_TEXT } from '@catchment/ids';

/** The escape stands for half a character or U+0000; hardly any document has one. JSON takes U+0000 itself nowhere. */
const ESCAPE = /\\u(?:[dD][89a-fA-F]|0000)/;
/** A message shows this many characters of a name. */
const MAX_SHOWN = 40;

type Place = { readonly value: unknown; readonly name: string | number; readonly within: Place | undefined };

/**
 * True where the texts of a document must be checked: without such an escape, all that UTF-8 can hold can be stored.
 */
export const mayHoldUnstorable = (text: string): boolean => ESCAPE.test(text);

/**
 * Refuses texts and names that no store can keep as they are. No recursion: small documents may nest
 * as deep as they like.
 * @throws DomainError invalid_argument naming the place
 */
export function checkTexts(document: unknown): void {
  const left: Place[] = [{ value: document, name: '', within: undefined }];
  for (let place = left.pop(); place; place = left.pop()) {
    const { value } = place;
    if (typeof value === 'string' && !isStorableText(value)) throw unstorable(place, 'must be');
    if (typeof value !== 'object' || value === null) continue;
    const isArray = Array.isArray(value);
    for (const [name, inner] of Object.entries(value)) {
      if (!isStorableText(name)) throw unstorable(place, 'must have names of');
      left.push({ value: inner, name: isArray ? Number(name) : name, within: place });
    }
  }
}

const unstorable = (place: Place, must: string) =>
  invalid('INVALID_TEXT', `${pathOf(place)}: ${must} ${STORABLE_TEXT}`);

/** Such as `metadata[0].value`. */
function pathOf(place: Place): string {
  let path = '';
  for (let at: Place | undefined = place; at?.within; at = at.within) {
    const isTop = at.within.within === undefined;
    const part = typeof at.name === 'number' ? `[${at.name}]` : `${isTop ? '' : '.'}${shortened(at.name)}`;
    path = part + path;
  }
  const isOfBody = path === '' || path.startsWith('[');
  return `${isOfBody ? 'body' : ''}${path}`.slice(0, 4 * MAX_SHOWN);
}

const shortened = (name: string): string =>
  [...name.slice(0, 2 * MAX_SHOWN)].slice(0, MAX_SHOWN).join('').toWellFormed();
