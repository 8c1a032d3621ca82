import { Readable } from 'node:stream';
import { invalid } from '@catchment/errors';
import { CsvError, parse } from 'csv-parse';

export interface RowSettings {
  /** 1-5 characters, or one of the names in `NAMED_DELIMITERS` (docs/reference/acquisition.md#text-parser). */
  readonly delimiter: string;
  /** Surrounds a field, doubled inside of it for itself; empty: none. */
  readonly textQualifier: string;
}

export interface Row {
  /** 1-based line of the file on which the row ends. */
  readonly line: number;
  readonly fields: readonly string[];
}

const NAMED_DELIMITERS: Readonly<Record<string, string>> = { TAB: '\t', SPACE: ' ', SEMICOLON: ';', PIPE: '|' };
/** Also what a text qualifier that is never closed can swallow before the file is refused. */
export const ROW_CHARACTERS_MAX = 1024 * 1024;

function delimiterOf(name: string): string {
  const delimiter = Object.hasOwn(NAMED_DELIMITERS, name) ? NAMED_DELIMITERS[name]! : name;
  if (delimiter.length >= 1 && delimiter.length <= 5 && !/[\r\n]/.test(delimiter)) return delimiter;
  throw invalid('INVALID_DELIMITER', 'delimiter: must be 1 to 5 characters, TAB, SPACE, SEMICOLON or PIPE');
}

function qualifierOf(text: string, delimiter: string): string | false {
  if (text.length > 1 || /[\r\n]/.test(text) || (text !== '' && delimiter.includes(text))) {
    throw invalid('INVALID_TEXT_QUALIFIER', 'textQualifier: must be at most 1 character that is not in delimiter');
  }
  return text === '' ? false : text;
}

/**
 * The rows of a text; lines end with LF, CRLF or CR, blank ones are skipped. With SPACE, runs of blanks are one delimiter
 * and those at the ends of a line none.
 * @throws DomainError invalid_argument: a setting breaks its rule, a row is longer than `ROW_CHARACTERS_MAX`, or the last
 *   text qualifier is not closed
 */
export async function* readRows(text: AsyncIterable<string>, settings: RowSettings): AsyncGenerator<Row> {
  const delimiter = delimiterOf(settings.delimiter);
  const parser = parse({
    delimiter,
    quote: qualifierOf(settings.textQualifier, delimiter),
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_quotes: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: ROW_CHARACTERS_MAX,
    info: true,
  });
  const source = Readable.from(text, { objectMode: true });
  source.on('error', (error) => parser.destroy(error));
  try {
    for await (const { record, info } of source.pipe(parser) as AsyncIterable<{
      record: string[];
      info: { lines: number };
    }>) {
      const fields = delimiter === ' ' ? record.filter((field) => field !== '') : record;
      const isBlank = fields.every((field) => field.trim() === '') && fields.length <= 1;
      if (!isBlank) yield { line: info.lines, fields };
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    if (error.code === 'CSV_MAX_RECORD_SIZE') {
      throw invalid('ROW_TOO_LONG', `line ${parser.info.lines}: longer than ${ROW_CHARACTERS_MAX} characters`);
    }
    throw invalid('INVALID_ROW', `line ${parser.info.lines}: ${error.message}`);
  } finally {
    source.destroy();
    parser.destroy();
  }
}
