import { bad } from '../../series/index.ts';

type Separators = {
  readonly delimiter: string;
  /** '' = none. */
  readonly textQualifier: string;
};

type Numbers = { readonly decimalSeparator?: ',' };

/** Writes cells so that whoever reads the line by the same delimiter and qualifier finds them as they were. */
export type CellWriter = {
  /** Puts a text in qualifiers, and doubles those inside of it. */
  readonly text: (text: string) => string;
  /** Puts a text in qualifiers where it needs them. */
  readonly plain: (text: string) => string;
};

/** @throws DomainError invalid_argument from its functions, for a cell that needs a qualifier where there is none */
export function cellWriter(separators: Separators): CellWriter {
  const { textQualifier } = separators;
  const isNeeded = needsQualifier(separators);
  if (textQualifier === '') {
    const bare = (text: string) => {
      if (isNeeded(text))
        throw bad('textQualifier', 'must not be empty where a cell holds the delimiter or a line break');
      return text;
    };
    return { text: bare, plain: bare };
  }
  const text = (given: string) =>
    textQualifier + given.replaceAll(textQualifier, textQualifier + textQualifier) + textQualifier;
  return { text, plain: (given) => (isNeeded(given) ? text(given) : given) };
}

/** Numbers without a pattern, ISO times and coordinates consist of these. */
const SIGNS = /^[-+0-9.:/eETZ]*$/;

/** Returns whether a text has no other signs than numbers, ISO times and coordinates have. */
export const isOfSigns = (text: string): boolean => SIGNS.test(text);

/** Returns whether cells of these signs alone never need a qualifier: nearly always, so they need not be looked at. */
export const areSignsBare = ({ delimiter, textQualifier, decimalSeparator }: Separators & Numbers): boolean =>
  ![...delimiter, ...textQualifier].some((sign) => isOfSigns(sign) || sign === decimalSeparator);

/** Returns whether a cell without qualifiers would be read as something else, or as several cells. */
export function needsQualifier({ delimiter, textQualifier }: Separators): (text: string) => boolean {
  const parts = [delimiter, textQualifier, '\n', '\r'].filter((part) => part !== '');
  const pattern = new RegExp(parts.map(RegExp.escape).join('|'), 'u');
  if (delimiter.length === 1) return (text) => pattern.test(text);
  // A cell may end in what begins a longer delimiter: `a|` before `||`.
  return (text) => pattern.test(text) || (text + delimiter).indexOf(delimiter) < text.length;
}

/** @throws DomainError invalid_argument where no reader could find the cells again */
export function checkSeparators({ delimiter, textQualifier }: Separators): void {
  if (/[\r\n]/.test(delimiter)) throw bad('delimiter', 'must not hold a line break');
  if (/[\r\n]/.test(textQualifier)) throw bad('textQualifier', 'must not be a line break');
  if (textQualifier !== '' && delimiter.includes(textQualifier))
    throw bad('delimiter', 'must not hold the textQualifier');
}
