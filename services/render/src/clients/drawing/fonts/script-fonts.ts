import { packagedFont } from './packaged-font.ts';

/** The font has letters that the first one lacks. */
type ScriptFont = {
  readonly family: string;
  readonly file: string;
  /** Matches a character of those that it is there for. */
  readonly covers: RegExp;
};

const font = (family: string, covers: RegExp): ScriptFont => ({
  family,
  file: packagedFont(family, '400Regular'),
  covers,
});

/**
 * These fonts have the scripts of living languages, and signs. Ideographs have the forms of simplified Chinese, which Japanese and
 * traditional Chinese readers read too.
 */
export const SCRIPT_FONTS: readonly ScriptFont[] = [
  font('Noto Sans SC', /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Bopomofo}\u3000-\u303f\uff00-\uffef]/u),
  font('Noto Sans KR', /\p{sc=Hangul}/u),
  font('Noto Sans Arabic', /\p{sc=Arabic}/u),
  font('Noto Sans Hebrew', /\p{sc=Hebrew}/u),
  font('Noto Sans Devanagari', /\p{sc=Devanagari}/u),
  font('Noto Sans Bengali', /\p{sc=Bengali}/u),
  font('Noto Sans Gurmukhi', /\p{sc=Gurmukhi}/u),
  font('Noto Sans Gujarati', /\p{sc=Gujarati}/u),
  font('Noto Sans Oriya', /\p{sc=Oriya}/u),
  font('Noto Sans Tamil', /\p{sc=Tamil}/u),
  font('Noto Sans Telugu', /\p{sc=Telugu}/u),
  font('Noto Sans Kannada', /\p{sc=Kannada}/u),
  font('Noto Sans Malayalam', /\p{sc=Malayalam}/u),
  font('Noto Sans Sinhala', /\p{sc=Sinhala}/u),
  font('Noto Sans Thai', /\p{sc=Thai}/u),
  font('Noto Sans Lao', /\p{sc=Lao}/u),
  font('Noto Sans Khmer', /\p{sc=Khmer}/u),
  font('Noto Sans Myanmar', /\p{sc=Myanmar}/u),
  font('Noto Serif Tibetan', /\p{sc=Tibetan}/u),
  font('Noto Sans Mongolian', /\p{sc=Mongolian}/u),
  font('Noto Sans Georgian', /\p{sc=Georgian}/u),
  font('Noto Sans Armenian', /\p{sc=Armenian}/u),
  font('Noto Sans Ethiopic', /\p{sc=Ethiopic}/u),
  font('Noto Sans Thaana', /\p{sc=Thaana}/u),
  font('Noto Sans Syriac', /\p{sc=Syriac}/u),
  font('Noto Sans Cherokee', /\p{sc=Cherokee}/u),
  font('Noto Sans Math', /\p{Sm}|[\u{1d400}-\u{1d7ff}]/u),
  font('Noto Sans Symbols', /\p{So}/u),
  font('Noto Sans Symbols 2', /\p{So}/u),
];
