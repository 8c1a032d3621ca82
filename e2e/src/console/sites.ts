import { type Api, jts, MODEL } from '../api.ts';

export type Sites = {
  readonly workspaceId: string;
  readonly locations: Readonly<Record<'deadRun' | 'gwynns' | 'falls' | 'greenland', string>>;
  readonly gaugeId: string;
  readonly levelId: string;
  readonly dashboardId: string;
};

const PLACES = {
  deadRun: ['Dead Run at Franklintown', [39.3112, -76.7164]],
  gwynns: ['Gwynns Falls at Villa Nova', [39.3459, -76.7336]],
  falls: ['Jones Falls at Sorrento', [39.3917, -76.6609]],
  greenland: ['Swiss Camp, Greenland', [69.5647, -49.3308]],
} as const;

/** Makes a Workspace with four places, a gauge with an alarm state at the first, and a dashboard of it. */
export async function makeSites(api: Api, name = 'Maryland rivers'): Promise<Sites> {
  const workspace = await api.create({ _class: `${MODEL}.Workspace`, name });
  const entries = await Promise.all(
    Object.entries(PLACES).map(async ([key, [placeName, position]]) => {
      const place = await api.create({
        _class: `${MODEL}.location.Location`,
        parentId: workspace._id,
        name: placeName,
      });
      await api.put(`/nodes/${place._id}/historic/now`, { value: position });
      return [key, place._id] as const;
    }),
  );
  const locations = Object.fromEntries(entries) as Sites['locations'];
  const gauge = await api.create({
    _class: `${MODEL}.source.data.Jts`,
    name: 'River gauge',
    parentId: locations.deadRun,
  });
  const point = (pointName: string, series: string, more: object) =>
    api.create({ _class: `${MODEL}.point.NumberPoint`, parentId: gauge._id, name: pointName, series, ...more });
  const states = [{ name: 'NORMAL' }, { name: 'HIGH WATER', threshold: 3, isAlarm: true }];
  const level = await point('Gage height', 'level', { units: 'ft', format: '0.00', states });
  await point('Water temperature', 'temperature', { units: '°C', format: '0.0' });
  const dashboard = await api.create({
    _class: `${MODEL}.Dashboard`,
    parentId: workspace._id,
    name: 'Rivers today',
    description: 'The gauges of the week',
    tiles: [
      { type: 'VALUE', x: 0, y: 0, w: 4, h: 2, links: [{ nodeId: level._id }] },
      { type: 'STANDARD_CHART', x: 4, y: 0, w: 8, h: 4, links: [{ nodeId: level._id }], config: { period: 'NOW-2D' } },
      { type: 'LOCATION_MAP', x: 0, y: 4, w: 6, h: 4, links: [{ nodeId: locations.deadRun }] },
    ],
  });
  return { workspaceId: workspace._id, locations, gaugeId: gauge._id, levelId: level._id, dashboardId: dashboard._id };
}

/** Writes a reading of now, which raises or ends the alarm. */
export async function writeLevel(api: Api, { gaugeId }: Sites, level: number): Promise<void> {
  const document = jts(['level', 'temperature'], [[new Date().toISOString(), level, 11.5]], 'ft');
  const answer = await api.put(`/nodes/${gaugeId}/historic?notifyOn=ALL_NEWER`, document);
  if (answer.status !== 202) throw new Error(`the write answered ${answer.status}: ${answer.text}`);
}
