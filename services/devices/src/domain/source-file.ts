import type { ParserSettings } from '@catchment/delimited-text';
import { invalid } from '@catchment/errors';
import { RE2JS } from 're2js';

/** What of a TextParser source decides how its files are taken, as the public document has it. */
export type FileSource = {
  readonly _id: string;
  readonly _class: string;
  readonly ownerId: string;
  readonly workspaceId: string;
  readonly timezone?: string;
  readonly timezoneAdjustForDst?: boolean;
  readonly writeMode?: string;
  readonly parser?: ParserSettings | null;
  readonly files?: readonly FileEntry[];
};

type FileEntry = { readonly match: string; readonly isRegex?: boolean; readonly parser?: ParserSettings | null };

/** Attributes to ask nodes for. */
export const FILE_SOURCE_ATTRIBUTES =
  '_id,_class,ownerId,workspaceId,timezone,timezoneAdjustForDst,writeMode,parser,files';

/**
 * The settings for a file of this name (semantics 12.3): of the first entry that it matches, otherwise the source's own; none:
 * the file itself says how it is read.
 * @throws DomainError invalid_argument when there are entries and none matches
 */
export function parserFor({ parser, files = [] }: FileSource, fileName: string): ParserSettings {
  if (files.length === 0) return parser ?? {};
  const entry = files.find((one) => matches(one, fileName));
  if (!entry) throw invalid('FILE_IGNORED', 'name: must match one of the files of the source');
  return entry.parser ?? parser ?? {};
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
