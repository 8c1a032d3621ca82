import type { ParserSettings } from '@catchment/delimited-text';
import { RE2JS } from 're2js';

/** The attributes of a TextParser source that decide how its files are read; stored beside each file. */
export type FileSource = {
  readonly _id: string;
  readonly ownerId: string;
  readonly workspaceId: string;
  readonly timezone?: string;
  readonly timezoneAdjustForDst?: boolean;
  readonly writeMode?: string;
  readonly parser?: ParserSettings | null;
  readonly files?: readonly FileEntry[];
};

type FileEntry = { readonly match: string; readonly isRegex?: boolean; readonly parser?: ParserSettings | null };

/**
 * The settings for a file of one of these names (docs/reference/acquisition.md#files-of-a-source): of the first entry that
 * one matches, otherwise the source's own; none: the layout is detected from the file.
 * @returns undefined when there are entries and none matches: the file is ignored
 */
export function parserFor({ parser, files = [] }: FileSource, ...names: readonly string[]): ParserSettings | undefined {
  if (files.length === 0) return parser ?? {};
  const entry = files.find((one) => names.some((name) => matches(one, name)));
  return entry && (entry.parser ?? parser ?? {});
}

/** Plain: the name contains it, in any letter case; `*` = any run. */
function matches({ match, isRegex = false }: FileEntry, fileName: string): boolean {
  if (isRegex) {
    try {
      return RE2JS.compile(match).matcher(fileName).find();
    } catch {
      // Looking around and back is beyond what is matched in bounded time.
      return false;
    }
  }
  let from = 0;
  const name = fileName.toLowerCase();
  return match
    .toLowerCase()
    .split('*')
    .every((part) => {
      const at = name.indexOf(part, from);
      from = at + part.length;
      return at >= 0;
    });
}

const NAME_CHARACTERS = 120;
/** A name in events and texts. */
export const shownName = (fileName: string): string =>
  fileName
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, '')
    .slice(0, NAME_CHARACTERS) || 'file';

/** Text of the event about a file that no entry matches (docs/reference/acquisition.md#files-of-a-source). */
export const ignored = (fileName: string): string => `Ignored '${shownName(fileName)}'`;
