import { invalid } from '@catchment/errors';
import { Pace } from '@catchment/fair-queue';
import type { EffectiveZone } from '@catchment/time';
import { detectLayout } from '../detection/detect-layout.ts';
import { HEAD_OF_KNOWN_CHARACTERS, readHead } from '../detection/sample.ts';
import { decodeText, type FoundEncoding } from '../rows/decode.ts';
import { LinePlace } from '../rows/line-place.ts';
import { explained, refuseForeign, refuseMarkup } from '../rows/looks-like.ts';
import { zoneReader } from '../times/zone-text.ts';
import { missingOf } from '../values/missing.ts';
import type { Layout, ParserSettings } from './layout.ts';
import { compile, type TextSeries } from './line-reader.ts';
import { readRecords, type TextRecord } from './read-records.ts';
import { emptyReport, type Failure, guessedEncoding, type TextReport } from './text-report.ts';

export interface OpenedText {
  readonly layout: Layout;
  readonly series: readonly TextSeries[];
  readonly report: TextReport;
  /** Yields the records in the order of the file, once only. Holds a line at a time. */
  records(): AsyncGenerator<TextRecord>;
}

export interface TextOptions {
  readonly settings?: ParserSettings;
  readonly zone: EffectiveZone;
  /** A time without a date gets this day. */
  readonly nowMs: number;
  /** These texts mean no value in this file, beside those in docs/reference/acquisition.md#text-parser, in any letter case. */
  readonly noValues?: readonly string[];
  /** Columns that make the time together, where the settings name none: `<label or number from 1>[:<format>]`. */
  readonly time?: readonly string[];
  /**
   * The first bytes are those of rows that were read before: they show the layout and the order of times, and are no
   * records.
   */
  readonly part?: TextPart;
  /** Records that are not later are left out, though their lines are read, Unix ms. */
  readonly afterMs?: number;
  /** The bytes are the beginning of a file, and may end anywhere. */
  readonly isCut?: boolean;
  /** Called for each line, and for each field of a line, that is not read; `line` is its text, without text qualifiers. */
  readonly failed?: (failure: Failure, line: () => string) => void;
  /** Lines are read so long until all others have their turn. */
  readonly pace?: Pace;
  /** Changes the detected layout, for callers that choose columns by the labels of the file. */
  readonly adjust?: (layout: Layout) => Layout;
}

interface TextPart {
  /** They end with a line. */
  readonly bytes: number;
  /** This many lines of the file lie before the rest; failures count from there. */
  readonly lines: number;
  /** The latest record before the rest, Unix ms: the first bytes may not reach back to where a repeated hour began. */
  readonly untilMs?: number;
}

/**
 * Opens delimited text (docs/reference/acquisition.md#text-parser, docs/reference/acquisition.md#time-zone-of-data): settles
 * how it is read, from its settings and its head, before the first record.
 * @throws DomainError invalid_argument naming the line, or the part of the settings; from `records` when a row cannot be read
 *   from the next one
 */
export async function openText(bytes: AsyncIterable<Uint8Array>, options: TextOptions): Promise<OpenedText> {
  const settings = options.settings ?? {};
  const place = new LinePlace(options.part);
  const bytesSeen = place.watching(bytes);
  let found: FoundEncoding | undefined;
  let isDamaged = false;
  let report: TextReport | undefined;
  const decoded = decodeText(bytesSeen, {
    encoding: settings.encoding,
    found: (encoding) => {
      found = encoding;
      if (report && encoding.by === 'GUESS') report.guesses = [...report.guesses, guessedEncoding(encoding.encoding)];
    },
    undecodable: () => {
      isDamaged = true;
    },
    head: refuseForeign,
  });
  const { head, text } = await readHead(decoded, {
    ...(options.isCut && { isCut: true }),
    ...(settings.columns?.length && { characters: HEAD_OF_KNOWN_CHARACTERS }),
  });
  try {
    if (head.text.trim() === '' && head.isWhole) throw invalid('EMPTY_FILE', 'file: is empty');
    const words = [...(settings.missing ?? []), ...(options.noValues ?? [])];
    refuseMarkup(head.text);
    const detected = await detectLayout(head, settings, {
      isMissing: missingOf(words, '.').isWord,
      ...(options.time && { time: options.time }),
    }).catch((error) => {
      throw explained(error, head.text);
    });
    const layout = options.adjust?.(detected) ?? detected;
    const { zone } = options;
    const zoneOf = zoneReader(zone, options.nowMs);
    const missing = missingOf(words, layout.decimalSeparator);
    const context = { layout, zone, zoneOf, todayLocalMs: zone.localMsAt(options.nowMs), missing };
    const { series, read } = compile(context);
    const isGuessed = found?.by === 'GUESS';
    report = emptyReport([...detected.guesses, ...(isGuessed && found ? [guessedEncoding(found.encoding)] : [])]);
    const { afterMs = Number.NEGATIVE_INFINITY, failed } = options;
    const { pace = new Pace() } = options;
    // Text behind a truncated part may close a qualifier; without columns nobody has seen how the file is parted.
    const recovers = !options.isCut && Boolean(settings.columns?.length);
    const encoding = () => found?.encoding ?? 'UTF-8';
    const facts = {
      isDamaged: () => isDamaged,
      encoding,
      nowMs: options.nowMs,
      recovers,
      ...(failed && { failed }),
    };
    const reading = { context, read, report, place, pace, ...facts };
    const records = () => readRecords(text, reading, { afterMs, untilMs: options.part?.untilMs });
    return { layout, series, report, records };
  } catch (error) {
    await text.return(undefined);
    throw error;
  }
}
