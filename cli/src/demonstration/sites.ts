import { type DataRow, readDeadRun, readPromice } from './data-files.ts';

type State = { name: string; threshold?: number; isAlarm?: boolean; occurrences?: number };

export type ParameterPlan = {
  readonly customId: string;
  readonly name: string;
  /** The data file has this column; by it as a key, writes find the parameter. */
  readonly series: string;
  readonly units: string;
  readonly format: string;
  readonly states?: readonly State[];
  readonly hysteresis?: number;
  readonly chart?: Readonly<Record<string, unknown>>;
};

/** A program computes this parameter from others of its source. */
type ComputedPlan = Pick<ParameterPlan, 'customId' | 'name' | 'units' | 'format'> & { readonly code: string };

export type SitePlan = {
  readonly workspace: { customId: string; name: string };
  readonly location: {
    customId: string;
    name: string;
    coordinates: readonly [number, number];
    metadata: readonly { name: string; value: string }[];
  };
  readonly source: { customId: string; name: string };
  readonly parameters: readonly ParameterPlan[];
  readonly computed?: readonly ComputedPlan[];
  /** Every record has this quality code; absent: none. */
  readonly quality?: number;
  readonly rows: () => DataRow[];
};

export type QualityCodePlan = {
  readonly name: string;
  readonly code: number;
  readonly type: string;
  readonly color: string;
};

/** The gauge's agency has checked such records. */
export const APPROVED: QualityCodePlan = { name: 'Good - Approved', code: 100, type: 'GOOD', color: '#2e9e5b' };

const DEW_POINT = `// Magnus formula over water, with the constants of Sonntag (1990).
var air = NUMBER('Air temperature'), humidity = NUMBER('Relative humidity');
if (humidity <= 0) return;
var gamma = Math.log(humidity / 100) + 17.62 * air / (243.12 + air);
return 243.12 * gamma / (17.62 - gamma);
`;

/** The simulated modem of the tank farm reports these. */
export const TANK_PARAMETERS: readonly ParameterPlan[] = [
  {
    customId: 'tank-level',
    name: 'Tank level',
    series: 'Tank Level',
    units: 'm',
    format: '0.00',
    hysteresis: 0.02,
    states: [{ name: 'NORMAL' }, { name: 'HIGH', threshold: 3.2, isAlarm: true }],
    chart: { fillStyle: 'SOLID', fillOpacity: 20 },
  },
  { customId: 'tank-temperature', name: 'Temperature', series: 'Temperature', units: '°C', format: '0.0' },
  { customId: 'tank-battery', name: 'Battery voltage', series: 'Battery Voltage', units: 'V', format: '0.00' },
];

/** Both sites are real: a weather station on the Greenland ice sheet and a river gauge in Maryland. */
export const SITES: readonly SitePlan[] = [
  {
    workspace: { customId: 'greenland', name: 'Greenland ice sheet' },
    location: {
      customId: 'kpc',
      name: 'Kronprins Christian Land',
      coordinates: [79.9109, -24.0828],
      metadata: [
        { name: 'Programme', value: 'PROMICE / GC-Net' },
        { name: 'Licence', value: 'CC-BY-4.0' },
      ],
    },
    source: { customId: 'kpc-logger', name: 'Weather station CR1000' },
    parameters: [
      {
        customId: 'kpc-air-temperature',
        name: 'Air temperature',
        series: 'Temperature_Avg',
        units: '°C',
        format: '0.0',
        hysteresis: 0.5,
        states: [
          { name: 'FROST', threshold: -2 },
          { name: 'NORMAL' },
          { name: 'MELT', threshold: 2 },
          { name: 'STRONG MELT', threshold: 5, isAlarm: true, occurrences: 3 },
        ],
      },
      { customId: 'kpc-humidity', name: 'Relative humidity', series: 'RelativeHumidity_Avg', units: '%', format: '0' },
      { customId: 'kpc-pressure', name: 'Air pressure', series: 'AirPressure_Avg', units: 'hPa', format: '0.0' },
      {
        customId: 'kpc-wind-speed',
        name: 'Wind speed',
        series: 'WindSpeed',
        units: 'm/s',
        format: '0.0',
        hysteresis: 2,
        states: [{ name: 'NORMAL' }, { name: 'GALE', threshold: 17.2, isAlarm: true }],
      },
      { customId: 'kpc-wind-direction', name: 'Wind direction', series: 'WindDirection', units: '°', format: '0' },
      { customId: 'kpc-snow-height', name: 'Snow height', series: 'SnowHeight', units: 'm', format: '0.00' },
      { customId: 'kpc-battery', name: 'Battery voltage', series: 'VoltageBatteries', units: 'V', format: '0.00' },
    ],
    computed: [
      {
        customId: 'kpc-dew-point',
        name: 'Dew point',
        units: '°C',
        format: '0.0',
        code: DEW_POINT,
      },
    ],
    rows: readPromice,
  },
  {
    workspace: { customId: 'maryland', name: 'Maryland rivers' },
    location: {
      customId: 'dead-run',
      name: 'Dead Run at Franklintown',
      coordinates: [39.3113, -76.7166],
      metadata: [
        { name: 'Site number', value: 'USGS 01589330' },
        { name: 'Licence', value: 'public domain' },
      ],
    },
    source: { customId: 'dead-run-gauge', name: 'River gauge' },
    parameters: [
      {
        customId: 'dead-run-stage',
        name: 'Gage height',
        series: 'USGS:01589330:00065:00000',
        units: 'ft',
        format: '0.00',
        hysteresis: 0.2,
        states: [
          { name: 'NORMAL' },
          { name: 'HIGH WATER', threshold: 2 },
          { name: 'FLOOD', threshold: 4, isAlarm: true, occurrences: 2 },
        ],
        chart: { fillStyle: 'SOLID', fillOpacity: 25 },
      },
      {
        customId: 'dead-run-discharge',
        name: 'Discharge',
        series: 'USGS:01589330:00060:00000',
        units: 'ft³/s',
        format: '#,##0.0',
      },
    ],
    quality: APPROVED.code,
    rows: readDeadRun,
  },
];
