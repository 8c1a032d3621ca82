import type { ParserSettings } from '@catchment/delimited-text';
import type { ImportFormat } from '@catchment/query';
import { searchOf } from '@catchment/states';

/** A file is imported by these settings (docs/reference/writing.md#imports). */
export type ImportSettings = {
  readonly username: string;
  readonly format: ImportFormat | 'AUTO';
  readonly notifyOn: string;
  /** For parameters and Locations this key names the series of a text; absent = its only series. */
  readonly series?: string;
  /** Parameters and Locations take this column of a JTS document. */
  readonly columnIndex?: number;
};

/** These attributes of a source decide how its files are read, and are stored beside each file. */
export type FileSource = {
  readonly _id: string;
  /** Absent = "source.data.TextParser". */
  readonly sourceClass?: string;
  readonly ownerId: string;
  readonly workspaceId: string;
  /** A session has fetched the file, and is reported as a whole. */
  readonly inSession?: boolean;
  /** Sessions that fetch have this WriteRequest.acquisition_id; absent: the file is an acquisition by itself. */
  readonly acquisitionId?: string;
  /** A client has pushed the file to the gateway. */
  readonly pushedBy?: 'HttpUpload' | 'Sms';
  /** It came as a text, not as bytes: it is UTF-8 whatever its parser says. */
  readonly cameAsText?: boolean;
  readonly timezone?: string;
  readonly timezoneAdjustForDst?: boolean;
  readonly writeMode?: string;
  readonly name?: string;
  /** Only for a Converter. */
  readonly converterId?: string;
  readonly parser?: ParserSettings | null;
  readonly files?: readonly FileEntry[];
  /** The file is imported (docs/reference/writing.md#imports): `_id` is then the node that it is for, of whatever class. */
  readonly importing?: ImportSettings;
  /** NEW or ALL. */
  readonly readMode?: string;
  readonly deleteAfterAcquire?: boolean;
  /** The file that was fetched. */
  readonly fetched?: Fetched;
};

/** A fetched file follows what was fetched before (docs/reference/acquisition.md#what-is-new). */
type Fetched = {
  /** The knowledge of the file is kept under this key. */
  readonly key: string;
  /** Records that are not later are left out, Unix ms. */
  readonly afterMs?: number;
  /** It goes on where the one before it ended: its first bytes are of that one, and `lines` of the whole lie before the rest. */
  readonly part?: { readonly bytes: number; readonly lines: number; readonly untilMs?: number };
};

export type FileEntry = {
  readonly entryId?: string;
  readonly match: string;
  readonly isRegex?: boolean;
  readonly parser?: ParserSettings | null;
  /** Unix ms. */
  readonly acquireTimeMs?: number;
};

/** Returns the first entry that one of these names matches. */
export const entryFor = (
  { files = [] }: Pick<FileSource, 'files'>,
  ...names: readonly string[]
): FileEntry | undefined => files.find((file) => names.some((name) => matches(file, name)));

/**
 * Returns the settings for a file of one of these names (docs/reference/acquisition.md#files-of-a-source): those of the first
 * entry that one of the names matches, otherwise the source's own; without any, the layout is detected from the file.
 * @returns undefined when there are entries and none matches: the file is ignored
 */
export function parserFor(source: FileSource, ...names: readonly string[]): ParserSettings | undefined {
  const { parser, files = [] } = source;
  if (files.length === 0) return parser ?? {};
  const entry = entryFor(source, ...names);
  return entry && (entry.parser ?? parser ?? {});
}

/** The name contains a plain match, in any letter case; `*` = any run. */
function matches({ match, isRegex = false }: FileEntry, fileName: string): boolean {
  // Looking around and back is beyond what is matched in bounded time.
  if (isRegex) return searchOf(match)?.(fileName) ?? false;
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

/** Returns the text of the event about a file that no entry matches (docs/reference/acquisition.md#files-of-a-source). */
export const ignored = (fileName: string): string => `Ignored '${shownName(fileName)}'`;
