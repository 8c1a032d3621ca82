import path from 'node:path';
import type { Read } from './read-records.ts';
import { dataFileOf, expectedOf, type Reading } from './real-acquisition/files.ts';

/** Content of a file by series, read without any code of the product: the last line of a time wins. */
export type Expected = ReadonlyMap<string, ReadonlyMap<number, number | string>>;

export type RealFile = {
  readonly name: string;
  readonly file: string;
  /** Arguments of `catchment import`. */
  readonly options: readonly string[];
  /** Lines with data. */
  readonly lines: number;
  readonly expected: () => Promise<Expected>;
};

/** Reads a file by Python, with what the table of acquired files says of it. @param own of this import alone */
async function readingOf(file: string, own: Partial<Reading> = {}): Promise<Expected> {
  const { reading } = await dataFileOf('', file);
  const { parameters } = await expectedOf(file, { ...reading, ...own });
  return new Map(
    Object.entries(parameters).map(([key, { records }]) => [
      key,
      new Map(Object.entries(records).map(([ms, value]) => [Number(ms), value as number | string])),
    ]),
  );
}

/** Leaves out the qualities. */
export const valuesOf = (read: Read): Expected =>
  new Map([...read].map(([key, records]) => [key, new Map([...records].map(([ms, { v }]) => [ms, v ?? '']))]));

const STATION_TIME = ['year:YYYY', 'month:M', 'day:D', 'hour:H'].flatMap((time) => ['--time', time]);

/** Describes one airport: imported by its local time, expected by the UTC that stands beside it. */
function station(file: string, origin: string, lines: number): RealFile {
  const only = ['temp', 'dewp', 'humid', 'wind_dir', 'wind_speed', 'wind_gust', 'pressure'];
  return {
    name: `NYC ${origin}`,
    file,
    lines,
    options: [
      '--where',
      `origin=${origin}`,
      '--missing',
      'NA',
      '--zone',
      'America/New_York',
      '--dst',
      ...STATION_TIME,
      ...only.flatMap((label) => ['--column', label]),
    ],
    expected: () => readingOf(file, { where: ['origin', origin], only }),
  };
}

const table = (file: string, name: string, lines: number, options: readonly string[] = []): RealFile => ({
  file,
  name,
  lines,
  options,
  expected: () => readingOf(file),
});

/** @param only none = all columns */
const toa5 = (file: string, name: string, lines: number, only?: readonly string[]): RealFile => ({
  name,
  file,
  lines,
  options: (only ?? []).flatMap((label) => ['--column', label]),
  expected: () => readingOf(file, only ? { only } : {}),
});

const toa5DayFirst = (file: string, name: string, lines: number): RealFile =>
  table(file, name, lines, ['--time', 'TIMESTAMP:D/M/YYYY H:mm']);

/** The daily values have the standard time of the gauge. */
const rdb = (file: string): RealFile => ({
  ...table(file, 'USGS RDB', 31, ['--zone', 'America/New_York']),
  expected: () => readingOf(file, { utcOffsetHours: -5 }),
});

const REPOSITORY = path.resolve(import.meta.dirname, '../..');
const pathOf = (file: string) => path.join(REPOSITORY, file);

const PROMICE = ['AirPressure_Avg', 'Temperature_Avg', 'RelativeHumidity_Avg', 'WindSpeed', 'WindDirection', 'TimeGPS'];

/** The repository has these files. */
export const OWN_FILES: readonly RealFile[] = [
  toa5(pathOf('cli/data/promice/CR1000_TableMem_10min_2016.dat.gz'), 'TOA5 PROMICE 2016', 4464, PROMICE),
  table(pathOf('cli/data/usgs/DeadRun_stage_discharge_5min_qualifiers.csv'), 'USGS Dead Run', 8928),
  rdb(pathOf('e2e/data/daily_RDB1Example.rdb')),
  ...['EWR', 'LGA'].map((origin) => station(pathOf('e2e/data/nyc_airports_dst_days_2013.csv'), origin, 138)),
  table(pathOf('e2e/data/nab_machine_temperature_clock_set_back.csv'), 'NAB, clock set back', 876),
];

/** @param folder CATCHMENT_TEST_DATA */
export function furtherFiles(folder: string): readonly RealFile[] {
  const at = (file: string) => path.join(folder, file);
  const nyc = at('weather-nyc-dst/nyc_airports_hourly_2013_local_and_utc.csv.gz');
  const load = (file: string, name: string, lines: number) =>
    table(at(`load-550k/${file}`), `load-550k ${name}`, lines);
  return [
    toa5(at('toa5-promice/CR1000_TableMem_10min_2016.dat.gz'), 'TOA5 PROMICE 2016, all columns', 4464),
    toa5(at('toa5-promice/CR1000X_DataTable10min_2022_NAN.dat.gz'), 'TOA5 PROMICE 2022, NAN', 11_163),
    toa5(at('toa5-hiev/WTC01_Table1_15min.dat.gz'), 'TOA5 WTC01', 7984),
    toa5DayFirst(at('toa5-hiev/ROS_WS_Table15min_tab_dmy_crlf.dat'), 'TOA5 with TAB and CRLF', 3705),
    toa5DayFirst(at('toa5-hiev/ROS_WS_Table2_30s_truncated_to_minute.dat.gz'), 'TOA5, two lines a minute', 81_511),
    station(nyc, 'EWR', 8703),
    station(nyc, 'JFK', 8706),
    station(nyc, 'LGA', 8706),
    table(at('iot-battery-states/nab_machine_temperature_5min.csv.gz'), 'NAB', 22_695),
    load('pvdaq_system50_ac_power_15min.csv.gz', 'PV power', 95_232),
    load('pvdaq_system4_module_temp_15min.csv.gz', 'module temperature', 140_256),
    load('usgs_01581752_5min_2016_2018_5params.csv.gz', 'USGS gauge', 315_648),
  ];
}
