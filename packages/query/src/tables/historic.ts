import { QUALITY_TYPES } from '@catchment/quality';
import { type EffectiveZone, effectiveZone } from '@catchment/time';
import {
  argumentReader,
  choice,
  choices,
  decimal,
  flag,
  literal,
  period,
  relativeTime,
  text,
  time,
  whole,
} from '../argument.ts';

/** Formats are printed with every record: without a bound a short answer could be made arbitrarily long. */
const MAX_FORMAT = 100;
const MAX_PART_DELIMITER = 20;

/** Characters of a record's annotation. */
export const ANNOTATION_MAX = 500;

/** Those that no store computes as they are defined: each record is read for them, of one with numbers alone too. */
export const AGGREGATES_OF_RECORDS = [
  'CIRCULAR_MEAN',
  'TIME_WEIGHTED_MEAN',
  'PERCENTILE',
  'STDDEV',
  'COUNTER_INCREASE',
  'COUNTER_RATE',
] as const;
/** See docs/reference/aggregates.md#which-aggregates. */
export const INTERVAL_AGGREGATES = [
  'INTERPOLATED',
  'AVERAGE',
  'MEDIAN',
  'TOTAL',
  'MIN',
  'MAX',
  'RANGE',
  'DELTA',
  'COUNT',
  'START',
  'END',
  ...AGGREGATES_OF_RECORDS,
] as const;
export const AGGREGATES = ['NONE', 'CHANGE', ...INTERVAL_AGGREGATES] as const;
/** Texts, times, coordinates and names of states have these, besides the records. */
export const AGGREGATES_OF_ANYTHING = ['CHANGE', 'START', 'END', 'COUNT'] as const;
export const AGGREGATE_SYNONYMS = { MINIMUM: 'MIN', MAXIMUM: 'MAX' } as const;
/** PERCENTILE computes a percentile of this range. */
export const PERCENTILE_RANGE = { min: 0, max: 100 } as const;
/** Returns a percentile as the argument has it: without an exponent. */
export const percentileText = (percentile: number): string => percentile.toFixed(12).replace(/\.?0+$/, '');

/** Forms of records; see docs/reference/formats.md. */
export const READ_FORMATS = ['JSON', 'CSV', 'ARROW', 'PARQUET', 'RDB', 'WATERML2', 'COVJSON'] as const;

/** CSV puts qualities and annotations in one of these places. */
export const PLACEMENTS = ['NONE', 'DELIMITED_WITH_VALUE', 'SEPARATE_VALUE'] as const;

/** Times that name no zone have this. */
const ZONE = {
  timezone: text({ about: 'Zone of the answer, and of interval and baseTime. Default: Etc/UTC.', example: 'Etc/UTC' }),
  timezoneAdjustForDst: flag({ about: 'Daylight saving time.' }, false),
};

/** @param nowMs decides between standard and daylight saving time. @throws DomainError invalid_argument */
export function readZone(given: Readonly<Record<string, string>>, nowMs: number): EffectiveZone {
  const read = argumentReader(ZONE, given);
  return effectiveZone(read('timezone') || 'Etc/UTC', read('timezoneAdjustForDst'), nowMs);
}

const BOUNDS = {
  startTime: time({
    about: 'First instant, inclusive; ISO 8601 or OPC relative time.',
    example: '2024-08-16T00:00:00Z',
  }),
  endTime: time({ about: 'Last instant, inclusive; ISO 8601 or OPC relative time.', example: '2024-08-16T00:00:00Z' }),
};

const INTERVALS = {
  percentile: decimal({ about: 'Which one; needed by PERCENTILE.', example: '90' }, PERCENTILE_RANGE),
  baseTime: relativeTime({
    about: 'OPC time to which intervals are aligned; needed by aggregates of intervals.',
    example: 'D',
  }),
  interval: period({ about: 'OPC interval; needed by aggregates of intervals.', example: '1H' }),
  intervalInclude: choice({ about: 'Whether incomplete intervals are shown.' }, ['PARTIAL', 'COMPLETE'], {
    absent: 'PARTIAL',
  }),
};
const RENDER_TYPE = {
  renderType: choice({ about: 'Values or names of states; default: the node’s displayType.' }, ['VALUE', 'STATE']),
};
const BASELINES = ['ABSOLUTE', 'RELATIVE'] as const;
const BASELINE = { about: 'RELATIVE subtracts the first value.' };

/** A range is divided into this many columns: output pixels of the widest picture at its largest scale. */
const MAX_COLUMNS = 16_000;

/** Arguments that a column of a read may have of its own (docs/reference/query-arguments.md#params). */
export const COLUMN = {
  ...RENDER_TYPE,
  renderFormat: literal(
    { about: 'Number or time pattern; empty = full resolution.', example: '0.0' },
    { absent: undefined, max: MAX_FORMAT },
  ),
  aggregate: choice(
    {
      about:
        'NONE = raw records, CHANGE = those whose value differs from the one before; the others give one result per interval. Texts, times, coordinates and states have CHANGE, COUNT, START and END only.',
    },
    AGGREGATES,
    { absent: 'NONE', synonyms: AGGREGATE_SYNONYMS },
  ),
  ...INTERVALS,
  baselineType: choice(BASELINE, BASELINES, { absent: 'ABSOLUTE' }),
  reduce: choice(
    {
      about:
        'M4 = of each of `width` equal columns of the range the first, the last, the lowest and the highest record, and gaps between them: a line through these equals that of all records. Numbers shown as VALUE, with both bounds, without limit and aggregate.',
    },
    ['M4'],
  ),
  width: whole({ about: 'Columns of `reduce`; needed by it.', example: '1200' }, { min: 1, max: MAX_COLUMNS }),
  maxPoints: whole(
    {
      about:
        'At most this many records with a value of each column: reduce=M4 with a quarter of it as `width`, under the same conditions.',
      example: '2000',
    },
    { min: 4, max: 4 * MAX_COLUMNS },
  ),
};

const placement = (about: string) => choice({ about }, PLACEMENTS, { absent: 'NONE' });
const partDelimiter = (about: string, absent: string) =>
  literal({ about, example: absent }, { absent, max: MAX_PART_DELIMITER });

/** See docs/reference/reading.md and docs/reference/records-and-documents.md#csv. */
export const READING = {
  format: choice({ about: 'Form of the answer.' }, READ_FORMATS, { absent: 'JSON' }),
  layout: choice({ about: 'CSV: WIDE = a row per time, LONG = a line per record.' }, ['WIDE', 'LONG'], {
    absent: 'WIDE',
  }),
  ...BOUNDS,
  limit: whole(
    { about: 'At most this many rows: the first from startTime on, or the last before endTime.' },
    { min: 1, max: 1_000_000_000 },
  ),
  ...ZONE,
  timeQuery: choice({ about: 'Which time the bounds mean.' }, ['RECORD', 'MODIFIED'], { absent: 'RECORD' }),
  after: text(
    {
      about:
        'With timeQuery=MODIFIED and a limit: header.next of the answer before, for the rows that were written next. All else as in the request before.',
    },
    { max: 200 },
  ),
  timeFormat: text({ about: 'Pattern of timestamps.', example: 'YYYY-MM-DD HH:mm:ss' }, { max: MAX_FORMAT }),
  header: flag({ about: 'Whether the header is included.' }, true),
  delimiter: literal(
    {
      about:
        'CSV: between cells, without the textQualifier; `TAB` is understood. Default: `,`, with decimalSeparator `,` it is `;`.',
      example: ',',
    },
    { absent: undefined, min: 1, max: 5 },
  ),
  decimalSeparator: choice({ about: 'CSV: in numbers and coordinates.' }, ['.', ','], { absent: '.' }),
  byteOrderMark: flag({ about: 'CSV: a byte order mark first, by which spreadsheets know UTF-8.' }, false),
  formulaGuard: flag(
    {
      about:
        'CSV: an apostrophe before texts, names, units and annotations that a spreadsheet would take for a formula.',
    },
    false,
  ),
  textQualifier: literal(
    { about: 'CSV: around texts, and around other cells that need it; empty = none.', example: '"' },
    { absent: '"', max: 1 },
  ),
  quality: placement('CSV: how quality codes are shown. ARROW, PARQUET, COVJSON: whether, when other than NONE.'),
  qualityDelimiter: partDelimiter('CSV: between value and quality.', ':'),
  qualityExcluded: choices(
    { about: 'Records of these types are left out. Default: as the account says.', example: 'BAD' },
    [...QUALITY_TYPES, 'NONE'],
  ),
  annotation: placement('CSV: how annotations are shown. ARROW, PARQUET: whether, when other than NONE.'),
  annotationDelimiter: partDelimiter('CSV: between value and annotation.', ';'),
  ...COLUMN,
};

const PARAMS = {
  params: text({
    about: 'Required. Nodes and arguments of their own, at most 100.',
    example: 'aaaaaaaaaaaaaaaaaaaaaaaa(aggregate:AVERAGE;baseTime:D;interval:1H),@rain',
  }),
};

export const READING_MANY = { ...PARAMS, ...READING };

/** Arguments of a read that an export takes (docs/reference/reading.md). */
export const EXPORT_ARGUMENTS = [
  'startTime',
  'endTime',
  'timezone',
  'timezoneAdjustForDst',
  'timeFormat',
  'delimiter',
  'textQualifier',
  'quality',
  'qualityDelimiter',
  'annotation',
  'annotationDelimiter',
  'qualityExcluded',
  'renderType',
  'renderFormat',
] as const;

/** Formats of files that people import; AUTO finds out which (docs/reference/writing.md#imports). */
export const IMPORT_FORMATS = ['TEXT', 'JTS'] as const;
export type ImportFormat = (typeof IMPORT_FORMATS)[number];

/** See docs/reference/writing.md#write-modes. */
export const WRITE_MODES = [
  'MERGE_OVERWRITE_EXISTING',
  'MERGE_PRESERVE_EXISTING',
  'MERGE_UPDATE_EXISTING',
  'MERGE_FAIL_ON_EXISTING',
  'INSERT_DELETE_EXISTING',
  'INSERT_FAIL_ON_EXISTING',
  'DELETE_RANGE',
  'DELETE',
  'DISCARD',
] as const;
/** See docs/reference/writing.md#notifyon. */
export const NOTIFY_ON = ['LATEST_ONLY', 'ALL_NEWER', 'NONE'] as const;

export const WRITING = {
  format: choice({ about: 'Form of the body.' }, ['JSON'], { absent: 'JSON' }),
  writeMode: choice({ about: 'What happens to records that exist.' }, WRITE_MODES, {
    absent: 'MERGE_OVERWRITE_EXISTING',
  }),
  notifyOn: choice({ about: 'Which records raise events and alarms.' }, NOTIFY_ON, { absent: 'LATEST_ONLY' }),
  columnIndex: whole(
    { about: 'Parameter or Location: the column meant for it.' },
    { min: 0, max: 0xffff_ffff, default: 0 },
  ),
};

export const WRITING_MANY = {
  params: text({
    about: 'Nodes and their columns, at most 100.',
    example: 'aaaaaaaaaaaaaaaaaaaaaaaa(columnIndex:0),@rain(columnIndex:3)',
  }),
  ...WRITING,
  columnIndex: whole({ about: 'Column of entries of params that name none.' }, { min: 0, max: 0xffff_ffff }),
};

/** Longest wait, seconds. */
const WRITE_WAIT_MAX = 30;
/** See docs/reference/writing.md#durable-and-readable. */
export const WRITE_STATE = {
  wait: whole(
    { about: 'Answers when the write can be read, or after so many seconds.' },
    { min: 0, max: WRITE_WAIT_MAX, absent: 0 },
  ),
};

export const IMAGE_FORMATS = ['PNG', 'JPG', 'SVG', 'PDF'] as const;

const SIZE = { min: 100, max: 4000 };
const title = (example: string) =>
  literal({ about: 'At most 200 characters; empty = none is drawn.', example }, { absent: undefined, max: 200 });

/** See docs/reference/charts.md#chart-endpoint. */
export const CHART = {
  format: choice({ about: 'Kind of image.' }, IMAGE_FORMATS, { absent: 'PNG' }),
  width: whole({ about: 'Pixels.' }, { ...SIZE, absent: 1200 }),
  height: whole({ about: 'Pixels.' }, { ...SIZE, absent: 800 }),
  scale: decimal({ about: 'Pixels per unit (PNG, JPG).' }, { min: 1, max: 4, absent: 1 }),
  title: title('Air temperature'),
  subtitle: title('Last week'),
  ...BOUNDS,
  ...ZONE,
  ...RENDER_TYPE,
  aggregate: choice(
    {
      about:
        'NONE = raw records; others as in a read of historic data. Default: the parameter’s chart settings, which are, unless changed: raw up to 1200 records; otherwise lines are drawn through the first, last, lowest and highest record of each pixel column, columns and SPLINE lines show INTERPOLATED and states and texts START in the shortest intervals of which the range has at most 1200.',
    },
    AGGREGATES,
    { synonyms: AGGREGATE_SYNONYMS },
  ),
  ...INTERVALS,
  baselineType: choice({ about: `${BASELINE.about} Default: the parameter’s chart settings.` }, BASELINES),
};

/** See docs/reference/charts.md#chart-of-several-parameters. */
export const CHART_MANY = { ...PARAMS, ...CHART };
