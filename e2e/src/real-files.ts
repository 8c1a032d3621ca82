import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';

/** Content of one series in a file, counted without any code of the product: the last line of a time wins. */
export type Expected = ReadonlyMap<string, ReadonlyMap<number, number | string>>;

export type RealFile = {
  readonly name: string;
  readonly file: string;
  /** Arguments of `catchment import` for it. */
  readonly options: readonly string[];
  /** Lines with data. */
  readonly lines: number;
  readonly expected: () => Expected;
};

type Reading = {
  readonly delimiter?: string;
  readonly quote?: string | null;
  /** Of the labels, from 1, and the first line with data. */
  readonly labels: number;
  readonly data: number;
  readonly time: (cells: Readonly<Record<string, string>>) => number;
  /** Labels that are no series. */
  readonly without: readonly string[];
  readonly only?: readonly string[];
  readonly where?: (cells: Readonly<Record<string, string>>) => boolean;
};

const MISSING = new Set(['', 'NAN', 'NaN', 'NA']);

/** @throws Error for a time that is none */
function expectedOf(file: string, reading: Reading): Expected {
  const bytes = readFileSync(file);
  const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  const lines = text.split(/\r?\n/);
  const options = { delimiter: reading.delimiter ?? ',', quote: reading.quote === undefined ? '"' : reading.quote };
  const [labels = []] = parse(lines[reading.labels - 1] ?? '', options) as string[][];
  const rows = parse(lines.slice(reading.data - 1).join('\n'), { ...options, relax_column_count: true }) as string[][];
  const wanted = labels.filter((label) => label !== '' && !reading.without.includes(label));
  const series = reading.only ?? wanted;
  const found = new Map<string, Map<number, string>>(series.map((label) => [label, new Map()]));
  for (const row of rows) {
    const cells = Object.fromEntries(labels.map((label, n) => [label, (row[n] ?? '').trim()]));
    if (reading.where && !reading.where(cells)) continue;
    const ms = reading.time(cells);
    if (!Number.isFinite(ms)) throw new Error(`${file}: no time in ${row.join()}`);
    for (const label of series) {
      const cell = cells[label] ?? '';
      if (!MISSING.has(cell)) found.get(label)?.set(ms, cell);
    }
  }
  return new Map([...found].map(([label, cells]) => [label, typed(cells)]));
}

/** A column of which all cells are numbers has numbers. */
function typed(cells: ReadonlyMap<number, string>): ReadonlyMap<number, number | string> {
  const areNumbers = [...cells.values()].every((cell) => /^[-+]?[\d.]+(?:[eE][-+]?\d+)?$/.test(cell));
  return areNumbers ? new Map([...cells].map(([ms, cell]) => [ms, Number(cell)])) : cells;
}

const utc = (text = ''): number => Date.parse(`${text.replace(' ', 'T')}Z`);
const dayFirst = (text = ''): number => {
  const [, day, month, year, hour, minute] = /^(\d+)\/(\d+)\/(\d+) (\d+):(\d+)$/.exec(text) ?? [];
  return Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute));
};
const STATION_TIME = ['year:YYYY', 'month:M', 'day:D', 'hour:H'].flatMap((time) => ['--time', time]);

/** One airport: imported by its local time, expected by the UTC that stands beside it. */
function station(file: string, origin: string, lines: number): RealFile {
  const only = ['temp', 'dewp', 'humid', 'wind_dir', 'wind_speed', 'wind_gust', 'pressure'];
  return {
    name: `NYC ${origin}`,
    file,
    lines,
    options: [
      ...['--where', `origin=${origin}`, '--missing', 'NA', '--zone', 'America/New_York', '--dst'],
      ...STATION_TIME,
      ...only.flatMap((label) => ['--column', label]),
    ],
    expected: () =>
      expectedOf(file, {
        labels: 1,
        data: 2,
        without: [],
        only,
        time: ({ time_hour }) => Date.parse(time_hour ?? ''),
        where: (cells) => cells.origin === origin,
      }),
  };
}

function table(file: string, name: string, lines: number, timeLabel: string): RealFile {
  const time = (cells: Readonly<Record<string, string>>) => utc(cells[timeLabel]);
  return {
    name,
    file,
    lines,
    options: [],
    expected: () => expectedOf(file, { labels: 1, data: 2, without: [timeLabel], time }),
  };
}

/** @param only none = all columns */
function toa5(file: string, name: string, lines: number, only?: readonly string[]): RealFile {
  const reading = { labels: 2, data: 5, without: ['TIMESTAMP', 'RECORD'], ...(only && { only }) };
  return {
    name,
    file,
    lines,
    options: (only ?? []).flatMap((label) => ['--column', label]),
    expected: () => expectedOf(file, { ...reading, time: ({ TIMESTAMP }) => utc(TIMESTAMP) }),
  };
}

function toa5DayFirst(file: string, name: string, lines: number): RealFile {
  const reading = { delimiter: '\t', labels: 2, data: 5, without: ['TIMESTAMP', 'RECORD'] };
  return {
    name,
    file,
    lines,
    options: ['--time', 'TIMESTAMP:D/M/YYYY H:mm'],
    expected: () => expectedOf(file, { ...reading, time: ({ TIMESTAMP }) => dayFirst(TIMESTAMP) }),
  };
}

/** Daily values, in the standard time of the gauge. */
function rdb(file: string): RealFile {
  const reading = { delimiter: '\t', quote: null, labels: 23, data: 25, without: ['agency_cd', 'site_no', 'datetime'] };
  return {
    name: 'USGS RDB',
    file,
    lines: 31,
    options: ['--zone', 'America/New_York'],
    expected: () => expectedOf(file, { ...reading, time: ({ datetime }) => Date.parse(`${datetime}T00:00:00-05:00`) }),
  };
}

const REPOSITORY = path.resolve(import.meta.dirname, '../..');
const own = (file: string) => path.join(REPOSITORY, file);

const PROMICE = ['AirPressure_Avg', 'Temperature_Avg', 'RelativeHumidity_Avg', 'WindSpeed', 'WindDirection', 'TimeGPS'];

/** In the repository. */
export const OWN_FILES: readonly RealFile[] = [
  toa5(own('cli/data/promice/CR1000_TableMem_10min_2016.dat.gz'), 'TOA5 PROMICE 2016', 4464, PROMICE),
  table(own('cli/data/usgs/DeadRun_stage_discharge_5min_qualifiers.csv'), 'USGS Dead Run', 8928, 'datetimeUTC'),
  rdb(own('e2e/data/daily_RDB1Example.rdb')),
  ...['EWR', 'LGA'].map((origin) => station(own('e2e/data/nyc_airports_dst_days_2013.csv'), origin, 138)),
  table(own('e2e/data/nab_machine_temperature_clock_set_back.csv'), 'NAB, clock set back', 876, 'timestamp'),
];

/** @param folder CATCHMENT_TEST_DATA */
export function furtherFiles(folder: string): readonly RealFile[] {
  const at = (file: string) => path.join(folder, file);
  const nyc = at('weather-nyc-dst/nyc_airports_hourly_2013_local_and_utc.csv.gz');
  const load = (file: string, name: string, lines: number, timeLabel: string) =>
    table(at(`load-550k/${file}`), `load-550k ${name}`, lines, timeLabel);
  return [
    toa5(at('toa5-promice/CR1000_TableMem_10min_2016.dat.gz'), 'TOA5 PROMICE 2016, all columns', 4464),
    toa5(at('toa5-promice/CR1000X_DataTable10min_2022_NAN.dat.gz'), 'TOA5 PROMICE 2022, NAN', 11_163),
    toa5(at('toa5-hiev/WTC01_Table1_15min.dat.gz'), 'TOA5 WTC01', 7984),
    toa5DayFirst(at('toa5-hiev/ROS_WS_Table15min_tab_dmy_crlf.dat'), 'TOA5 with TAB and CRLF', 3705),
    toa5DayFirst(at('toa5-hiev/ROS_WS_Table2_30s_truncated_to_minute.dat.gz'), 'TOA5, two lines a minute', 81_511),
    station(nyc, 'EWR', 8703),
    station(nyc, 'JFK', 8706),
    station(nyc, 'LGA', 8706),
    table(at('iot-battery-states/nab_machine_temperature_5min.csv.gz'), 'NAB', 22_695, 'timestamp'),
    load('pvdaq_system50_ac_power_15min.csv.gz', 'PV power', 95_232, 'measured_on'),
    load('pvdaq_system4_module_temp_15min.csv.gz', 'module temperature', 140_256, 'index'),
    load('usgs_01581752_5min_2016_2018_5params.csv.gz', 'USGS gauge', 315_648, 'datetimeUTC'),
  ];
}
