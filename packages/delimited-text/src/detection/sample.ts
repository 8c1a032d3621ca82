import { Pace } from '@catchment/fair-queue';
import { type Row, type RowSettings, readRows } from '../rows/rows.ts';

/** The layout of a file is taken from this many characters. */
const HEAD_CHARACTERS = 1024 * 1024;
/** The same, where the settings have the columns: only labels are looked for. */
export const HEAD_OF_KNOWN_CHARACTERS = 64 * 1024;
/** This many rows show how the lines of a file are parted. */
export const SAMPLE_ROWS = 400;
/** This many rows show what is in its columns. */
export const ROWS_MAX = 20_000;

/** The beginning of a file. */
export interface Head {
  readonly text: string;
  /** There is nothing after it. */
  readonly isWhole: boolean;
}

/**
 * Reads the beginning, and gives the whole text again from there on.
 * @param isCut the text may end anywhere
 */
export async function readHead(
  text: AsyncGenerator<string>,
  { isCut = false, characters = HEAD_CHARACTERS }: { readonly isCut?: boolean; readonly characters?: number } = {},
): Promise<{ head: Head; text: AsyncGenerator<string> }> {
  let read = '';
  let isWhole = false;
  while (read.length < characters) {
    const { value, done } = await text.next();
    if (done) {
      isWhole = true;
      break;
    }
    read += value;
  }
  async function* again() {
    try {
      yield read;
      if (!isWhole) yield* text;
    } finally {
      await text.return(undefined);
    }
  }
  return { head: { text: read, isWhole: isWhole && !isCut }, text: again() };
}

const wholeLines = ({ text, isWhole }: Head): string =>
  isWhole ? text : text.slice(0, text.lastIndexOf('\n') + 1) || text;

/** Returns lines of a head as they are, blank ones left out. */
export const sampleLines = (head: Head): string[] =>
  soundOf(
    wholeLines(head)
      .split(/\r\n|\n|\r/, SAMPLE_ROWS)
      .filter((line) => line.trim() !== ''),
    (line) => line.includes('\0'),
  );

/** A file has runs of U+0000 after a power loss: they say nothing of its layout, unless all of it is like that. */
function soundOf<T>(all: T[], isDamaged: (item: T) => boolean): T[] {
  const sound = all.filter((item) => !isDamaged(item));
  return sound.length > 0 ? sound : all;
}

/**
 * Yields whole rows of a head; ends where a row cannot be read.
 * @throws DomainError invalid_argument with `isStrict`, where that is of the file and not of the head's end
 */
export async function sampleRows(
  head: Head,
  settings: RowSettings,
  {
    isStrict = false,
    recovers = false,
    max = SAMPLE_ROWS,
  }: { readonly isStrict?: boolean; readonly recovers?: boolean; readonly max?: number } = {},
): Promise<Row[]> {
  const rows: Row[] = [];
  const text = wholeLines(head);
  async function* once() {
    yield text;
  }
  const pace = new Pace();
  try {
    for await (const row of readRows(once(), settings, recovers ? () => undefined : undefined)) {
      rows.push(row);
      if (pace.isOver) await pace.next();
      if (rows.length === max) break;
    }
  } catch (error) {
    // A longer file fails when its rows themselves are read.
    if (isStrict && head.isWhole) throw error;
  }
  return soundOf(rows, ({ fields }) => fields.some((field) => field.includes('\0')));
}
