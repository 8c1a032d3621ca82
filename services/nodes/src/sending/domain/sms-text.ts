/** The basic alphabet of GSM 03.38 takes one character for each of these. */
const BASIC = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
/** Its extension: these take two. */
const EXTENSION = new Set('^{}\\[~]|€\f');

/** A message holds this many characters of GSM-7, or this many UTF-16 units as soon as a character is in neither table. */
const GSM_MAX = 160;
const UCS2_MAX = 70;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * Returns the text, truncated where one SMS is full (docs/reference/notifications.md#recipients-and-content). No
 * character is split.
 */
export function cutToOneSms(given: string): string {
  const text = given.normalize('NFC');
  const gsm = truncated([...text], GSM_MAX, (character) => (EXTENSION.has(character) ? 2 : 1));
  const isGsm = [...gsm].every((character) => BASIC.has(character) || EXTENSION.has(character));
  if (isGsm) return gsm;
  const characters = [...graphemes.segment(text)].map(({ segment }) => segment);
  return truncated(characters, UCS2_MAX, ({ length }) => length);
}

function truncated(characters: readonly string[], max: number, sizeOf: (character: string) => number): string {
  let size = 0;
  const end = characters.findIndex((character) => {
    size += sizeOf(character);
    return size > max;
  });
  return (end < 0 ? characters : characters.slice(0, end)).join('');
}
