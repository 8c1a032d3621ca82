// These are the files of CATCHMENT_TEST_DATA: how another program reads each of them, and the settings of its source.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** Given to read_files.py. */
export type Reading = {
  /** Default `table`. */
  readonly format?: 'table' | 'series' | 'gpx';
  readonly delimiter?: string;
  /** Lines count from 1; 0: there is none. */
  readonly labels?: number;
  readonly units?: number;
  readonly data?: number;
  /** Empty: none. */
  readonly quote?: string;
  readonly decimal?: string;
  /** Every line has as many fields as the header, or is left out. */
  readonly width?: boolean;
  /** These columns, by label or number from 0, have the time in a format of Python; ISO follows its rules, ms and s are Unix time. */
  readonly time?: readonly (readonly [string | number, string])[];
  /** Times without a zone have this UTC offset. */
  readonly utcOffsetHours?: number;
  /** Hourly local times are in this zone, in which the passes of a repeated hour look alike: both are the earlier one. */
  readonly localZone?: string;
  /** Lines in which the column has another value are left out. */
  readonly where?: readonly [string, string];
  /** Codes for no value. */
  readonly missing?: readonly string[];
  /** Columns that are no series. */
  readonly without?: readonly string[];
  readonly only?: readonly string[];
  /** The content of these columns does not show their types. */
  readonly types?: Readonly<Record<string, string>>;
  /** The second column has the quality of the first. */
  readonly quality?: Readonly<Record<string, string>>;
  /** Only the format `series` names its series here. */
  readonly series?: readonly string[];
};

/** A person has to write this parser, for the one that is proposed does not do. */
type Written = { readonly why: string; readonly parser: object; readonly source?: object };

type FileKind = 'TOA5' | 'RDB' | 'CSV' | 'GPX';
export type DataFile = {
  readonly kind: FileKind;
  readonly reading: Reading;
  /** Absent: the proposal of the preview is taken. */
  readonly written?: Written;
};

const ISO = (label: string | number): DataFile => ({ kind: 'CSV', reading: { time: [[label, 'ISO']] } });
const TOA5: DataFile = {
  kind: 'TOA5',
  reading: { labels: 2, units: 3, data: 5, width: true, time: [['TIMESTAMP', 'ISO']], without: ['RECORD'] },
};
const DAY_FIRST: DataFile = {
  kind: 'TOA5',
  reading: { ...TOA5.reading, delimiter: '\t', time: [['TIMESTAMP', '%d/%m/%Y %H:%M']] },
};
const GAUGING: DataFile = { kind: 'CSV', reading: { time: [['datetime', '%Y-%m-%d %H:%M:%S [UTC%z]']] } };
const TRACK: DataFile = { kind: 'GPX', reading: { format: 'gpx' } };

const time = (column: number, format: string) => ({ column, field: 'TIME', format });
const recordTime = (index: number, ...formats: string[]) => ({
  index,
  type: 'RECORD_TIME',
  joins: formats.map((format, n) => time(index + n, format)),
});
const numbers = (from: number, labels: readonly string[]) =>
  labels.map((series, n) => ({ index: from + n, type: 'NUMBER', series }));

const MOVEMENT = ['aX', 'aY', 'aZ', 'gX', 'gY', 'gZ'];
const sinceStart = (labelsRow: number | undefined, reading: Reading): DataFile => ({
  kind: 'CSV',
  reading,
  written: {
    why: 'the time is milliseconds since the device was switched on, which nothing in the file says',
    parser: {
      ...(labelsRow && { labelsRow }),
      columns: [recordTime(0, 'x'), ...numbers(1, labelsRow ? MOVEMENT : MOVEMENT.map((_, n) => `Column ${n + 2}`))],
    },
  },
});

/** Describes a recording of a bus: a block with all values, a blank line, then a line for each value that has changed. */
function recording(text: string): DataFile {
  const lines = text.split('\n');
  const blank = lines.indexOf('');
  const isNumber = (line: string) => /^\d+\t\S+\t(?:DOUBLE|U?INT\d+|BYTE)\t/.test(line);
  const series = [
    ...new Set(
      lines
        .slice(blank + 1)
        .filter(isNumber)
        .map((line) => line.split('\t')[1] ?? ''),
    ),
  ];
  return {
    kind: 'CSV',
    reading: { format: 'series', series },
    written: {
      why: 'each line has a value of a series of its own, and the time is seconds since the recording began',
      parser: {
        format: 'ROW',
        delimiter: 'TAB',
        textQualifier: '',
        dataRow: blank + 2,
        columns: [
          recordTime(0, 'X'),
          { index: 1, type: 'SERIES_ID' },
          { index: 2, type: 'DISABLED' },
          { index: 3, type: 'VALUE' },
        ],
        rowSeries: series.map((seriesId) => ({ seriesId, type: 'NUMBER' })),
      },
    },
  };
}

const RADIATION = [
  'Ambient Temperature',
  'Barometric Pressure',
  'Diffuse Horizontal',
  'Direct Normal',
  'Global Horizontal',
  'Global Normal',
  'Plane of array',
  'Relative Humidity',
  'UV-A',
  'UV-B',
  'Wind Direction',
  'Wind Speed',
];
const WEATHER = ['temp', 'dewp', 'humid', 'wind_dir', 'wind_speed', 'wind_gust', 'precip', 'pressure', 'visib'];

/** The files count in this order; a file is the first one that its path contains. */
const FILES: readonly (readonly [string, DataFile])[] = [
  ['.gpx', TRACK],
  ['beijing_pm25', ISO('ds')],
  [
    'uci_airquality',
    {
      kind: 'CSV',
      reading: {
        delimiter: ';',
        time: [
          ['Date', '%d/%m/%Y'],
          ['Time', '%H.%M.%S'],
        ],
      },
    },
  ],
  ['korita-zbevnica_derived', ISO('time')],
  ['ChoptankRiverFlow', { kind: 'CSV', reading: { delimiter: '\t', time: [['date', '%m/%d/%Y']] } }],
  ['ChoptankRiverNitrate', { kind: 'CSV', reading: { delimiter: ';', time: [['cdate', 'ISO']] } }],
  ['DeadRun', ISO('datetimeUTC')],
  [
    'FrenchCreek',
    {
      kind: 'CSV',
      reading: {
        time: [
          ['date', '%m/%d/%Y'],
          ['time', '%H:%M:%S'],
        ],
      },
    },
  ],
  [
    'daily_RDB1',
    {
      kind: 'RDB',
      reading: {
        delimiter: '\t',
        quote: '',
        labels: 23,
        data: 25,
        time: [['datetime', 'ISO']],
        without: ['agency_cd', 'site_no'],
      },
    },
  ],
  [
    'peaks_annual',
    {
      kind: 'RDB',
      reading: {
        delimiter: '\t',
        quote: '',
        labels: 73,
        data: 75,
        only: ['peak_va', 'gage_ht'],
        quality: { peak_va: 'peak_cd' },
        time: [
          ['peak_dt', '%Y-%m-%d'],
          ['peak_tm', '%H:%M'],
        ],
      },
      written: {
        why: 'the code of a peak is its quality, which nothing in the file says',
        parser: {
          delimiter: 'TAB',
          textQualifier: '',
          labelsRow: 73,
          dataRow: 75,
          columns: [
            recordTime(2, 'YYYY-MM-DD', 'H:mm'),
            {
              index: 4,
              type: 'NUMBER',
              series: 'peak_va',
              joins: [{ field: 'NUMBER' }, { column: 5, field: 'QUALITY' }],
            },
            { index: 6, type: 'NUMBER', series: 'gage_ht' },
          ],
        },
      },
    },
  ],
  [
    'smwr_TestFull',
    {
      kind: 'RDB',
      reading: { delimiter: '\t', quote: '', labels: 6, data: 8, time: [['Date.dot', '%Y.%m.%d']] },
    },
  ],
  ['groundwater', ISO('datetimeUTC')],
  [
    'daily_weather',
    {
      ...ISO('date'),
      written: {
        why: 'the preview makes series of each of its two places; Python reads the columns as they are',
        parser: {
          labelsRow: 1,
          columns: [
            { index: 0, type: 'TEXT', series: 'location' },
            recordTime(1, 'YYYY-MM-DD'),
            ...numbers(2, ['precipitation', 'temp_max', 'temp_min', 'wind']),
            { index: 6, type: 'TEXT', series: 'weather' },
          ],
        },
      },
    },
  ],
  ['nab_', ISO('timestamp')],
  ['pvdaq_system4_', ISO('index')],
  ['pvdaq_system50_', ISO('measured_on')],
  ['usgs_01581752', ISO('datetimeUTC')],
  ['ac_power_inv_2173', ISO('timestamp')],
  ['serf_east', ISO('measured_on')],
  [
    'rmis_weather',
    {
      kind: 'CSV',
      reading: { time: [[0, '%m/%d/%Y %H:%M']] },
      written: {
        why: 'the first days of the file do not tell day from month, and the proposal takes the day to come first',
        parser: { labelsRow: 1, columns: [recordTime(0, 'M/D/YYYY H:mm'), ...numbers(1, RADIATION)] },
      },
    },
  ],
  ['ROS_WS', DAY_FIRST],
  ['overlap/', DAY_FIRST],
  ['WTC0', TOA5],
  // These values are over the range of a Campbell logger, in the part of the file that the preview sees.
  ['CR1000X_DataTable10min', { ...TOA5, reading: { ...TOA5.reading, missing: ['7999'] } }],
  ['CR1000', TOA5],
  ['CR3000', TOA5],
  ['TestLogger_Daily_1', TOA5],
  ['TestLogger_Hourly_1', TOA5],
  ['iridium_transmitted', { kind: 'CSV', reading: { labels: 0, data: 1, time: [[0, 'ISO']] } }],
  [
    'nyc_airports',
    {
      kind: 'CSV',
      reading: {
        time: [['time_hour', 'ISO']],
        localZone: 'America/New_York',
        where: ['origin', 'EWR'],
        only: WEATHER,
      },
      written: {
        why: 'three stations are in one file, in local time; the UTC beside it is what the other reader takes',
        parser: {
          labelsRow: 1,
          columns: [
            {
              index: 1,
              type: 'RECORD_TIME',
              joins: [
                ...['YYYY', 'M', 'D', 'H'].map((format, n) => time(1 + n, format)),
                { column: 0, field: 'TEXT', format: 'EWR', filter: 'INCLUDE_RECORD' },
              ],
            },
            ...numbers(5, WEATHER),
          ],
        },
        source: { timezone: 'America/New_York', timezoneAdjustForDst: true },
      },
    },
  ],
  ['isere', ISO('datetime')],
  ['mahurangi', ISO('datetime')],
  ...['chalk_artificial', 'co_channel', 'green_channel', 'provo_natural'].map((name) => [name, GAUGING] as const),
  ['imu_slow_walking', sinceStart(undefined, { labels: 0, data: 1, time: [[0, 'ms']] })],
  ['vibration-imu/', sinceStart(1, { time: [['time', 'ms']] })],
];

/** Files without a time of their own, or broken ones, are refused, with a reason that a person can act on. */
const REFUSED: readonly (readonly [string, RegExp])[] = [
  ['malformed/empty', /is empty/],
  ['malformed/header_column_count', /line 5: has 15 fields where the header has 6$/],
  ['malformed/not-really', /no column with a timestamp/],
  ['pytoa5-bad/TestLogger_Hourly_Bad', /line \d|no column with a timestamp/],
  ['rating_01594440', /no column with a timestamp/],
  ['nordura', /no column with a timestamp/],
  ['simulated_rating', /no column with a timestamp/],
  ['skajalfandafljot', /no column with a timestamp/],
  ['switch_smartswitch', /no column with a timestamp/],
  ['cube-noise', /no column with a timestamp/],
  ['kolibricloud', /looks like JSON/],
  ['siemens-logo', /looks like JSON/],
  ['syscom-vibration', /no column with a timestamp/],
];

/** Lines of several kinds, each with its own columns, need a converter. */
const OTHER_FORMAT = 'das-captis-v2';
const FORMATS = /\.(?:csv|dat|rdb|tsv|txt)(?:\.gz)?$|\.gpx$/;

/** Lists the paths below the folder, in their order. */
export async function dataFiles(folder: string): Promise<string[]> {
  const all = await readdir(folder, { recursive: true });
  return all.filter((name) => FORMATS.test(name) && !name.includes(OTHER_FORMAT)).sort();
}

/** Tells why a file cannot be read; undefined where it can. */
export const refusalOf = (file: string): RegExp | undefined => REFUSED.find(([part]) => file.includes(part))?.[1];

/** @throws Error for a file that no row names */
export async function dataFileOf(folder: string, file: string): Promise<DataFile> {
  const found = FILES.find(([part]) => file.includes(part))?.[1];
  if (found) return found;
  if (file.includes('victron/')) return recording(await readFile(path.join(folder, file), 'utf8'));
  throw new Error(`${file}: nothing is known of this file`);
}

type Parameter = {
  /** null: it has no values. */
  readonly type: 'NUMBER' | 'BOOLEAN' | 'TEXT' | 'TIME' | null;
  readonly units: string;
  /** The key is in Unix ms; a record of type TIME is `{ms}`. */
  readonly records: Readonly<Record<string, number | string | boolean | { readonly ms: number }>>;
  readonly quality: Readonly<Record<string, number>>;
};
export type Expected = {
  readonly lines: number;
  readonly rules: Readonly<Record<string, number>>;
  readonly parameters: Readonly<Record<string, Parameter>>;
};

/** Returns what Python reads of a file. */
export async function expectedOf(file: string, reading: Reading): Promise<Expected> {
  const running = execFile('python3', [path.join(import.meta.dirname, 'read_files.py')], { maxBuffer: 2 ** 30 });
  const chunks: string[] = [];
  running.stdout?.on('data', (chunk: string) => chunks.push(chunk));
  running.stdin?.end(JSON.stringify({ file, ...reading }));
  const [code] = await once(running, 'close');
  if (code !== 0) throw new Error(`${file}: Python could not read it`);
  return JSON.parse(chunks.join('')) as Expected;
}
