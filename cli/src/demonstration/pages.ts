/** Something to look at: a chart, a dashboard or a report over nodes of the demonstration, which it names by their customIds. */
export type PagePlan = {
  /** Without prefix. */
  readonly _class: 'chart.HistoricChart' | 'chart.WindRoseChart' | 'Dashboard' | 'Report';
  readonly customId: string;
  readonly name: string;
  readonly parentId: string;
  readonly [attribute: string]: unknown;
};

/** Of the whole data: the demonstration's records are of one month. */
const MONTH = 'LAST-31D';

type Place = readonly [x: number, y: number, w: number, h: number];

const tile = (type: string, [x, y, w, h]: Place, customIds: readonly string[], more: Record<string, unknown> = {}) => ({
  type,
  x,
  y,
  w,
  h,
  links: customIds.map((customId) => ({ nodeId: `@${customId}` })),
  ...more,
});

const WIND_ROSE: PagePlan = {
  _class: 'chart.WindRoseChart',
  customId: 'kpc-wind-rose',
  name: 'Wind in August 2016',
  parentId: '@kpc',
  description: 'Cold air that flows down from the ice sheet, mostly from one direction',
  startRange: '2016-08-01T00:00:00Z',
  endRange: '2016-09-01T00:00:00Z',
  speedUnits: 'm/s',
  speedNodeId: '@kpc-wind-speed',
  directionNodeId: '@kpc-wind-direction',
};

const WEATHER: PagePlan = {
  _class: 'Dashboard',
  customId: 'kpc-dashboard',
  name: 'Ice-sheet weather',
  parentId: '@kpc',
  isPublic: true,
  description: 'An automatic station of PROMICE in north-eastern Greenland, August 2016',
  tiles: [
    tile('VALUE', [0, 0, 3, 2], ['kpc-air-temperature'], { label: 'Air', style: 'blue', showAlarms: true }),
    tile('VALUE', [3, 0, 3, 2], ['kpc-wind-speed'], { label: 'Wind', showAlarms: true }),
    tile('SOLID_GAUGE', [6, 0, 3, 2], ['kpc-humidity'], {
      label: 'Humidity',
      config: { minimum: 0, maximum: 100, shape: 'HALF' },
    }),
    tile('LOCATION_MAP', [9, 0, 3, 4], ['kpc'], { label: 'Where', config: { zoom: 4 } }),
    tile('STANDARD_CHART', [0, 2, 9, 4], ['kpc-air-temperature', 'kpc-dew-point'], {
      label: 'Temperature and dew point',
      config: { period: MONTH },
    }),
    tile('ALARM_SUMMARY', [9, 4, 3, 2], ['kpc'], { label: 'Alarms', config: { period: 'NOW-7D' } }),
    tile('CUSTOM_CHART', [0, 6, 5, 5], ['kpc-wind-rose'], { label: 'Wind rose' }),
    tile('VALUE_LIST', [5, 6, 4, 3], ['kpc-pressure', 'kpc-snow-height', 'kpc-wind-direction', 'kpc-battery'], {
      label: 'Station',
    }),
    tile('STATIC_TEXT', [9, 6, 3, 3], [], {
      label: 'Source',
      style: 'white',
      config: {
        content: 'Data: PROMICE / GC-Net, CC-BY-4.0.\nReadings every ten minutes.\nDrag in a chart to look closer.',
      },
    }),
    tile('HISTORIC_TABLE', [5, 9, 7, 2], ['kpc-air-temperature', 'kpc-humidity', 'kpc-wind-speed'], {
      label: 'Latest hours',
      config: { period: 'LAST-2D', aggregate: 'AVERAGE', interval: '1H' },
    }),
  ],
};

const TANK: PagePlan = {
  _class: 'Dashboard',
  customId: 'harbour-dashboard',
  name: 'Tank farm, live',
  parentId: '@tank-farm',
  isPublic: true,
  description: 'A simulated modem reports every 10 seconds',
  tiles: [
    tile('SOLID_GAUGE', [0, 0, 4, 3], ['tank-level'], {
      label: 'Level',
      showAlarms: true,
      config: { minimum: 0, maximum: 5, shape: 'HALF' },
    }),
    tile('VALUE', [4, 0, 4, 3], ['tank-temperature'], { label: 'Temperature', style: 'green' }),
    tile('VALUE', [8, 0, 4, 3], ['tank-battery'], { label: 'Battery' }),
    tile('STANDARD_CHART', [0, 3, 12, 4], ['tank-level', 'tank-temperature'], {
      label: 'Last quarter of an hour',
      config: { period: 'NOW-15M' },
    }),
  ],
};

const FLOOD: PagePlan = {
  _class: 'chart.HistoricChart',
  customId: 'dead-run-flood',
  name: 'Floods of June 2018',
  parentId: '@dead-run',
  description: 'Stage and discharge',
  startRange: '2018-06-01T04:00:00Z',
  endRange: '2018-07-02T04:00:00Z',
  yAxes: [{ name: 'Stage (ft)' }, { name: 'Discharge (ft³/s)', position: 'RIGHT' }],
  links: [
    { nodeId: '@dead-run-stage', yAxisIndex: 0 },
    { nodeId: '@dead-run-discharge', yAxisIndex: 1 },
  ],
};

/** Without a template: the one that every report has unless it is given another. */
const RIVER: PagePlan = {
  _class: 'Report',
  customId: 'dead-run-report',
  name: 'Dead Run',
  parentId: '@dead-run',
  timezone: 'America/New_York',
  isPublic: true,
  description: 'Stage and discharge of the gauge at Franklintown',
};

/** In the order in which they are made, those of a row side by side: dashboards link charts. */
export const PAGES: readonly (readonly PagePlan[])[] = [[WIND_ROSE, FLOOD, RIVER, TANK], [WEATHER]];

/** Dashboards that the first lines after the start name. */
export const SHOWN_PAGES: readonly PagePlan[] = [TANK, WEATHER];
