import type { TextClass } from './text-classes.ts';

/** An interface has answered this to a text. */
export type Reply = {
  /** The text is taken, refused for good, or neither. */
  readonly kind: 'taken' | 'refused' | 'broken';
  /** The text of the answer, for the report; a refusal names the place and the rule. */
  readonly said: string;
  /**
   * The interface shows this of the text now; absent: it is looked for at the end, or the interface shows nothing of
   * it.
   */
  readonly shown?: string | undefined;
};

export type EntryPoint = {
  readonly name: string;
  /** A refusal names at least one of these. */
  readonly names: readonly string[];
  /** Longer texts are not sent: the interface has a rule for them, and megabytes take their time. */
  readonly longest?: number;
  /** @param n which text of this interface it is, from 0 */
  readonly send: (text: string, n: number) => Promise<Reply>;
  /** Returns what is kept of each text that was taken, by `n`, once everything has been sent. */
  readonly kept?: () => Promise<ReadonlyMap<number, string>>;
  /** Returns a text as the interface keeps it: trimmed, on one line … Absent: as it is. */
  readonly keeps?: (text: string) => string;
  /**
   * The interface may take what cannot be stored, having its own way to report it (a file's report, a processAlarm).
   */
  readonly reportsLater?: boolean;
  /** Returns whether it has reported what it took and cannot keep. */
  readonly hasReported?: () => Promise<boolean>;
};

export type Fault = { readonly entryPoint: string; readonly text: string; readonly what: string };

/** Returns what is wrong with a reply. */
export function faultOf(
  entryPoint: EntryPoint,
  { text, isStorable }: TextClass,
  { kind, said, shown }: Reply,
): string | undefined {
  if (kind === 'broken') return `broke: ${said}`;
  if (kind === 'refused') {
    // A request that is too large is refused for that alone.
    const isNamed = said.startsWith('413 ') || entryPoint.names.some((name) => said.includes(name));
    return isNamed ? undefined : `does not name ${entryPoint.names.join(' or ')}: ${said}`;
  }
  if (!isStorable && !entryPoint.reportsLater) return 'took what cannot be kept';
  const expected = (entryPoint.keeps ?? same)(text);
  return shown === undefined || shown === expected ? undefined : `shows ${brief(shown)} for ${brief(expected)}`;
}

const same = (text: string): string => text;

/** Shows the beginning of a text, with escapes. */
export const brief = (text: string): string => {
  const escaped = JSON.stringify(text).replaceAll(
    /[^\x20-\x7e]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
  return escaped.length > 160 ? `${escaped.slice(0, 160)}…` : escaped;
};
