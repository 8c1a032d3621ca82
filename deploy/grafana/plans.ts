import { type Annotation, counter, type Plan, table } from './panels.ts';
import {
  chosen,
  IN_WORKSPACE,
  namesOf,
  number,
  OF_SITE,
  ofParameters,
  queryOf,
  RANGE,
  raised,
  records,
  text,
  time,
  WORKSPACE,
  yesNo,
} from './queries.ts';
import {
  BATTERY,
  PARAMETER_WITH_ALARM,
  PARAMETERS_OF_SITE,
  SITE,
  WORKSPACE_ALONE,
  WORKSPACE_OR_ALL,
} from './variables.ts';

/** A curve has this many points: no peak is lost, whatever the range is. */
const POINTS = '2000';
/** A table shows the newest events. */
const LINES = { ...RANGE, sort: 'eventTime(DESC)', limit: '1000' };
const EVENT = [time('eventTime', 'Time'), text('message', 'What'), text('nodeId')];
const RAISED = [
  time('activeTime', 'Since'),
  text('path', 'Node'),
  text('message', 'What'),
  text('alarmType', 'Alarm'),
  text('alarmState', 'State'),
  text('acknowledgeUsername', 'Acknowledged by'),
];

const alarmsOf = (filter: string): Annotation => ({
  name: 'Alarms',
  color: 'red',
  query: queryOf({
    path: '/events',
    params: { ...RANGE, filter, attr: 'eventTime,alarmEndTime,message,alarmType' },
    columns: [
      time('eventTime', 'time'),
      time('alarmEndTime', 'timeEnd'),
      text('message', 'text'),
      text('alarmType', 'tags'),
    ],
    format: 'dataframe',
  }),
});

const NOTES: Annotation = {
  name: 'Notes of records',
  color: 'blue',
  query: records(
    { params: chosen('parameter', 'csv') },
    [time('time'), text('annotation', 'text'), text('name', 'tags')],
    {
      format: 'dataframe',
      only: "text != ''",
    },
  ),
};

const curve = (title: string, about: string, w: number) => ({
  title,
  about,
  type: 'timeseries' as const,
  unit: 'none',
  grid: { w, h: 8 },
  queries: [
    records(
      { params: chosen('parameter', 'csv'), maxPoints: POINTS },
      [time('time'), number('value'), text('name'), text('units'), text('node')],
      { format: 'timeseries' },
    ),
  ],
  options: { legend: { displayMode: 'list', placement: 'bottom', showLegend: true, calcs: [] } },
  defaults: {
    displayName: `${chosen('__field.labels.name')} ${chosen('__field.labels.units')}`,
    custom: { fillOpacity: 8 },
  },
});

const site: Plan = {
  name: 'site',
  title: 'Catchment: a site',
  about: 'The records of a site, parameter by parameter, with its alarms and what was noted beside records.',
  variables: [WORKSPACE_ALONE, SITE, PARAMETERS_OF_SITE],
  annotations: [alarmsOf(ofParameters('alarmState($eq:ACTIVE)')), NOTES],
  panels: [
    counter(
      'Raised alarms',
      'Alarms of the site and of all below it that are raised now, up to 1000.',
      raised({ nodeId: chosen('site') }, [text('nodeId')]),
      'red',
    ),
    table(
      'Newest records',
      'The newest record of each number parameter of the site, with its alarm state.',
      [
        queryOf({
          path: '/nodes',
          params: {
            filter: OF_SITE,
            attr: 'name,currentValue,units,currentTime,currentQuality,alarms.stateAlarm.status.alarmState',
            sort: 'name',
          },
          columns: [
            text('name', 'Parameter'),
            number('currentValue', 'Value'),
            text('units', 'Units'),
            time('currentTime', 'Time'),
            number('currentQuality', 'Quality'),
            text('alarms.stateAlarm.status.alarmState', 'Alarm'),
          ],
        }),
      ],
      { w: 20, h: 8 },
    ),
    {
      ...curve(
        chosen('parameter', 'text'),
        'Records of the parameter. Of more than 2000 those are shown that draw the same line. Marked are alarms, from their beginning to their end, and notes.',
        12,
      ),
      more: { repeat: 'parameter', repeatDirection: 'h', maxPerRow: 2 },
    },
    table(
      'Alarms in this time',
      'What was raised, acknowledged and cleared, the newest 1000 of the chosen parameters.',
      [
        queryOf({
          path: '/events',
          params: {
            ...LINES,
            filter: ofParameters('alarmState($ne:NONE)'),
            attr: 'eventTime,message,nodeId,alarmState,username',
          },
          columns: [...EVENT, text('alarmState', 'State'), text('username', 'By')],
        }),
        namesOf(OF_SITE),
      ],
      { w: 24, h: 8 },
      { joinedBy: 'nodeId', sortedBy: 'Time' },
    ),
  ],
};

const alarms: Plan = {
  name: 'alarms',
  title: 'Catchment: alarms',
  about: 'What is raised, what was raised, and how long it lasted.',
  variables: [WORKSPACE_OR_ALL, PARAMETER_WITH_ALARM],
  annotations: [alarmsOf(ofParameters('alarmState($eq:ACTIVE)'))],
  panels: [
    counter(
      'Active',
      'Alarms that are raised and that nobody has acknowledged, up to 1000.',
      raised({ workspaceId: WORKSPACE, state: 'ACTIVE' }, [text('nodeId')]),
      'red',
    ),
    counter(
      'Acknowledged',
      'Alarms that somebody has acknowledged and that last, up to 1000.',
      raised({ workspaceId: WORKSPACE, state: 'ACKNOWLEDGED' }, [text('nodeId')]),
      'orange',
    ),
    table(
      'Raised now',
      'The newest 1000 alarms that are raised, whatever the time range is.',
      [raised({ workspaceId: WORKSPACE }, RAISED)],
      { w: 16, h: 8 },
      { sortedBy: 'Since' },
    ),
    curve(
      `Records with alarms: ${chosen('parameter', 'text')}`,
      'Records of the chosen parameter, one with a state that raises an alarm. Alarms are marked from their beginning to their end; one that lasts is a line.',
      24,
    ),
    table(
      'What happened',
      'Alarms that were raised, acknowledged and cleared in this time, the newest 1000.',
      [
        queryOf({
          path: '/events',
          params: {
            ...LINES,
            filter: `${IN_WORKSPACE}alarmState($ne:NONE)`,
            attr: 'eventTime,alarmEndTime,message,nodeId,alarmState,alarmType,username',
          },
          columns: [
            ...EVENT,
            time('alarmEndTime', 'Until'),
            text('alarmState', 'State'),
            text('alarmType', 'Alarm'),
            text('username', 'By'),
          ],
        }),
        namesOf(`${IN_WORKSPACE}_class($ne:null)`),
      ],
      { w: 16, h: 10 },
      { joinedBy: 'nodeId', sortedBy: 'Time' },
    ),
    {
      title: 'Kinds',
      type: 'barchart',
      unit: 'short',
      grid: { w: 8, h: 10 },
      about: 'How often each kind of alarm was raised in this time, of the newest 10 000.',
      queries: [
        queryOf({
          path: '/events',
          params: {
            ...RANGE,
            sort: 'eventTime(DESC)',
            limit: '10000',
            filter: `${IN_WORKSPACE}alarmState($eq:ACTIVE)`,
            attr: 'alarmType,message',
          },
          columns: [text('alarmType', 'Alarm'), text('message', 'What')],
        }),
      ],
      more: {
        transformations: [
          {
            id: 'groupBy',
            options: {
              fields: {
                Alarm: { aggregations: [], operation: 'groupby' },
                What: { aggregations: ['count'], operation: 'aggregate' },
              },
            },
          },
        ],
      },
      options: { orientation: 'horizontal', xField: 'Alarm', legend: { showLegend: false } },
    },
  ],
};

const alarmOf = (type: string) => raised({ workspaceId: WORKSPACE, type }, [text('nodeId')]);
const status = (alarm: string) => text(`alarms.${alarm}.status.alarmState`, SHOWN[alarm]);
const SHOWN: Readonly<Record<string, string>> = {
  communicationsAlarm: 'Communications',
  outdatedAlarm: 'Outdated',
  dataAlarm: 'Data',
};

const fleet: Plan = {
  name: 'fleet',
  title: 'Catchment: fleet health',
  about: 'Which sources deliver, which do not, and what their devices and batteries say.',
  variables: [WORKSPACE_OR_ALL, BATTERY],
  annotations: [],
  panels: [
    counter('Sources', 'All sources, enabled or not.', sources(['_id'], [text('_id')])),
    counter(
      'Late',
      'Sources without new data for longer than they may be silent (outdatedAlarm).',
      alarmOf('outdatedAlarm'),
      'red',
    ),
    counter(
      'Not reached',
      'Sources whose last session failed (communicationsAlarm).',
      alarmOf('communicationsAlarm'),
      'red',
    ),
    counter(
      'With wrong data',
      'Sources whose last acquisition had records or files that were refused (dataAlarm).',
      alarmOf('dataAlarm'),
      'orange',
    ),
    counter('With too much data', 'Sources beyond a daily limit (overloadAlarm).', alarmOf('overloadAlarm'), 'orange'),
    counter(
      'Connected devices',
      'Modems and loggers that are connected now.',
      queryOf({
        path: '/devices',
        params: { filter: `${IN_WORKSPACE}isConnected($eq:true)`, attr: '_id' },
        columns: [text('_id')],
      }),
    ),
    table(
      'All sources',
      'Each source with its status, its last contact and its alarms.',
      [
        sources(
          [
            'name',
            'isEnabled',
            'currentStatus',
            'lastCommsAttempt',
            'lastCommsSuccess',
            'lastAcquireRecordCount',
            ...Object.keys(SHOWN).map((alarm) => `alarms.${alarm}.status.alarmState`),
            'alarms.outdatedAlarm.status.dataTime',
          ],
          [
            text('name', 'Source'),
            yesNo('isEnabled', 'Enabled'),
            text('currentStatus', 'Status'),
            time('lastCommsAttempt', 'Last try'),
            time('lastCommsSuccess', 'Last contact'),
            number('lastAcquireRecordCount', 'Records'),
            time('alarms.outdatedAlarm.status.dataTime', 'Data until'),
            ...Object.keys(SHOWN).map(status),
          ],
        ),
      ],
      { w: 24, h: 10 },
    ),
    table(
      'Devices',
      'Modems and loggers that call in, and when they did.',
      [
        queryOf({
          path: '/devices',
          params: { filter: `${IN_WORKSPACE}deviceKey($ne:null)`, attr: 'deviceKey,isConnected,lastConnected' },
          columns: [
            text('deviceKey', 'Device'),
            yesNo('isConnected', 'Connected'),
            time('lastConnected', 'Last connected'),
          ],
        }),
      ],
      { w: 10, h: 8 },
    ),
    {
      title: 'Batteries',
      type: 'bargauge',
      unit: 'volt',
      grid: { w: 14, h: 8 },
      about: 'The newest value of each number parameter whose name holds the text above, in volts.',
      queries: [
        queryOf({
          path: '/nodes',
          params: {
            filter: `${IN_WORKSPACE}_class($match:.point.Number),name($match:${chosen('battery')})`,
            attr: 'name,currentValue',
            sort: 'currentValue',
          },
          columns: [text('name', 'Parameter'), number('currentValue', 'Value')],
        }),
      ],
      options: {
        orientation: 'horizontal',
        displayMode: 'basic',
        reduceOptions: { values: true, calcs: [], fields: '/^Value$/', limit: 100 },
      },
    },
    table(
      'Trouble',
      'Warnings and errors of all nodes in this time, the newest 1000.',
      [
        queryOf({
          path: '/events',
          params: {
            ...LINES,
            filter: `${IN_WORKSPACE}level($ne:INFO),level($ne:DEBUG)`,
            attr: 'eventTime,message,nodeId,level,eventType',
          },
          columns: [...EVENT, text('level', 'Level'), text('eventType', 'Kind')],
        }),
        namesOf(`${IN_WORKSPACE}_class($ne:null)`),
      ],
      { w: 24, h: 10 },
      { joinedBy: 'nodeId', sortedBy: 'Time' },
    ),
  ],
};

function sources(attr: readonly string[], columns: Parameters<typeof queryOf>[0]['columns']) {
  return queryOf({
    path: '/nodes',
    params: { filter: `${IN_WORKSPACE}_class($match:.source.)`, attr: attr.join(','), sort: 'name' },
    columns,
  });
}

export const PLANS: readonly Plan[] = [site, alarms, fleet];
