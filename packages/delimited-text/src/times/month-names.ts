/** Months have these names in English, German and French, in full and as they are shortened. */
const NAMES: Readonly<Record<string, number>> = Object.fromEntries(
  [
    'january january januar janvier janv jan jänner jän',
    'february februar février fevrier févr fevr fév feb fev',
    'march märz maerz mars mär mrz mar',
    'april avril avr apr',
    'may mai',
    'june juni juin jun',
    'july juli juillet juil jul',
    'august août aout aoû aug',
    'september septembre sept sep',
    'october oktober octobre oct okt',
    'november novembre nov',
    'december dezember décembre decembre déc dec dez',
  ].flatMap((names, n) => names.split(' ').map((name) => [name, n + 1])),
);

/** The expression of this source finds one; the longer one first, with its point. */
export const MONTH_NAMES = `(?:${Object.keys(NAMES)
  .sort((a, b) => b.length - a.length)
  .join('|')})\\.?`;

/** 1-12. @param text what `MONTH_NAMES` has found */
export const monthOf = (text: string): number => NAMES[text.toLowerCase().replace(/\.$/, '')] ?? 0;
