import { RIVER } from './flood-report.ts';
import type { PagePlan } from './page-plan.ts';

/** The demonstration's records are of one month, so this period shows all of them. */
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
    tile('STANDARD_CHART', [0, 0, 9, 4], ['kpc-air-temperature', 'kpc-dew-point'], {
      label: 'Temperature and dew point',
      config: { period: MONTH },
    }),
    tile('LOCATION_MAP', [9, 0, 3, 4], ['kpc'], { label: 'Where', config: { zoom: 4 } }),
    tile('CUSTOM_CHART', [0, 4, 5, 6], ['kpc-wind-rose'], { label: 'Wind rose' }),
    tile('STANDARD_CHART', [5, 4, 7, 3], ['kpc-wind-speed', 'kpc-pressure'], {
      label: 'Wind and air pressure',
      config: { period: MONTH },
    }),
    tile('HISTORIC_TABLE', [5, 7, 5, 3], ['kpc-air-temperature', 'kpc-humidity', 'kpc-wind-speed'], {
      label: 'Means of days',
      config: { period: MONTH, aggregate: 'AVERAGE', interval: '1D' },
    }),
    tile('STATIC_TEXT', [10, 7, 2, 3], [], {
      label: 'Source',
      style: 'white',
      config: { content: 'PROMICE / GC-Net, CC-BY-4.0.\nDrag in a chart to look closer.' },
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
    tile('STANDARD_CHART', [0, 3, 9, 4], ['tank-level', 'tank-temperature'], {
      label: 'Last six hours',
      config: { period: 'NOW-6H' },
    }),
    tile('ALARM_SUMMARY', [9, 3, 3, 4], ['tank-farm'], { label: 'Alarms', config: { period: 'NOW-1D' } }),
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

/** The pages are made in this order, those of a row side by side: dashboards and reports link charts. */
export const PAGES: readonly (readonly PagePlan[])[] = [
  [WIND_ROSE, FLOOD, TANK],
  [RIVER, WEATHER],
];

/** The first lines after the start name these dashboards. */
export const SHOWN_PAGES: readonly PagePlan[] = [TANK, WEATHER];
