import { type Row, type RowSettings, readRows } from './rows.ts';

/** Characters of a file that its layout is taken from. */
export const HEAD_CHARACTERS = 64 * 1024;
export const SAMPLE_ROWS = 200;

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
  isCut = false,
): Promise<{ head: Head; text: AsyncGenerator<string> }> {
  let read = '';
  let isWhole = false;
  while (read.length < HEAD_CHARACTERS) {
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

/** Lines of a head as they are, blank ones left out. */
export const sampleLines = (head: Head): string[] =>
  soundOf(
    wholeLines(head)
      .split(/\r\n|\n|\r/, SAMPLE_ROWS)
      .filter((line) => line.trim() !== ''),
    (line) => line.includes('\0'),
  );

/** A file has runs of U+0000 after a power loss: they say nothing of its layout, unless all of it is like that. */
function soundOf<T>(all: T[], isDamaged: (one: T) => boolean): T[] {
  const sound = all.filter((one) => !isDamaged(one));
  return sound.length > 0 ? sound : all;
}

/**
 * Whole rows of a head; ends where a row cannot be read.
 * @throws DomainError invalid_argument with `isStrict`, where that is of the file and not of the head's end
 */
export async function sampleRows(head: Head, settings: RowSettings, isStrict = false): Promise<Row[]> {
  const rows: Row[] = [];
  const text = wholeLines(head);
  async function* once() {
    yield text;
  }
  try {
    for await (const row of readRows(once(), settings)) {
      rows.push(row);
      if (rows.length === SAMPLE_ROWS) break;
    }
  } catch (error) {
    // In a longer file the error comes when the rows themselves are read.
    if (isStrict && head.isWhole) throw error;
  }
  return soundOf(rows, ({ fields }) => fields.some((field) => field.includes('\0')));
}
