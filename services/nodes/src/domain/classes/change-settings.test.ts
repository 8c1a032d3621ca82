import { classNames } from '../body/class-names.ts';
import { blankSettings, type Change, changeSettings } from './change-settings.ts';
import { nodeClass } from './class-table.ts';

const names = classNames('io.svc');
const CATEGORY = 'c'.repeat(24);
const SOURCE = 'd'.repeat(24);
const GROUP = 'e'.repeat(24);
let ids = 0;
const newId = () => (++ids).toString(16).padStart(24, '0');
const deps = {
  names,
  newPublicId: () => 'p'.repeat(15),
  newPushKey: () => 'soap-laugh-corn',
  nowMs: 1_000,
  context: {
    newId,
    hasCategory: (id: string) => id === CATEGORY,
    workspaceId: 'w',
    findNode: (ref: string) => {
      const cls = { [SOURCE]: 'source.data.Jts', [GROUP]: 'Group' }[ref];
      return cls === undefined
        ? undefined
        : { nodeId: ref, class: cls, workspaceId: 'w', name: 'N', displayType: 'VALUE' };
    },
  },
};
const change = (cls: string, ...bodies: Record<string, unknown>[]) =>
  bodies.reduce<Change>((before, body) => changeSettings(nodeClass(cls), before.settings, body, deps), {
    settings: blankSettings(nodeClass(cls), newId),
    changed: [],
  });

const NUMBER = 'point.NumberPoint';
const TEXT = 'point.TextPoint';
const TIME = 'point.TimePoint';
const JTS = 'source.data.Jts';
const PARSER = 'source.data.TextParser';
const LOCATION = 'location.Location';
const alarm = (type: string, config: unknown) => ({ alarms: { [type]: { config } } });
const chart = (part: unknown) => ({ chart: part });
const long = (n: number) => 'x'.repeat(n);

test.each<[cls: string, attribute: string, body: Record<string, unknown>]>([
  ['Group', 'name', { name: 5 }],
  ['Group', 'name', { name: '  ' }],
  ['Group', 'name', { name: null }],
  ['Group', 'name', { name: long(121) }],
  ['Group', 'name', { name: 'a/b' }],
  ['Group', 'name', { name: 'a_b' }],
  ['Group', 'name', { name: 'a\u0007b' }],
  ['Group', 'customId', { customId: 5 }],
  ['Group', 'customId', { customId: 'a.b' }],
  ['Group', 'customId', { customId: long(256) }],
  ['Group', 'metadata', { metadata: {} }],
  ['Group', 'metadata', { metadata: Array.from({ length: 101 }, (_, i) => ({ name: `n${i}`, value: 1 })) }],
  ['Group', 'metadata[0].name', { metadata: [{ value: 1 }] }],
  ['Group', 'metadata[0].name', { metadata: [{ name: long(121), value: 1 }] }],
  ['Group', 'metadata[0].value', { metadata: [{ name: 'a', value: true }] }],
  ['Group', 'metadata[0].value', { metadata: [{ name: 'a', value: long(1001) }] }],
  [
    'Group',
    'metadata[1].name',
    {
      metadata: [
        { name: 'a', value: 1 },
        { name: 'a', value: 2 },
      ],
    },
  ],
  ['Group', 'units', { units: 'm' }],
  ['Group', 'isPublic', { isPublic: true }],
  ['Group', 'alarms', { alarms: {} }],
  ['Group', 'states', { states: [] }],
  ['Workspace', 'mapLayers[0].type', { mapLayers: [{ label: 'a', type: 'FAR' }] }],
  ['Workspace', 'mapLayers[0].url', { mapLayers: [{ label: 'a', type: 'REMOTE', url: 'javascript:1' }] }],
  ['Workspace', 'mapLayers', { mapLayers: Array(11).fill({ label: 'a', type: 'REMOTE', url: 'http://a' }) }],
  [LOCATION, 'coordinateSourceId', { coordinateSourceId: 'f'.repeat(24) }],
  [LOCATION, 'coordinateSourceId', { coordinateSourceId: GROUP }],
  [LOCATION, 'coordinateSourceId', { coordinateSourceId: 5 }],
  [LOCATION, 'imageSourceId', { imageSourceId: SOURCE }],
  [LOCATION, 'coordinateSeries.longitude', { coordinateSeries: { latitude: 'a' } }],
  [LOCATION, 'marker.color', { marker: { color: 'red' } }],
  [LOCATION, 'states', { states: [{ name: 'A', threshold: 1 }] }],
  [LOCATION, 'alarms.outdatedAlarm', alarm('outdatedAlarm', {})],
  [JTS, 'isEnabled', { isEnabled: 'true' }],
  [JTS, 'scheduleType', { scheduleType: 'SOMETIMES' }],
  [JTS, 'scheduleType', { scheduleType: 'REMOTE' }],
  [JTS, 'intervalSeconds', { intervalSeconds: 61 }],
  [JTS, 'intervalSeconds', { intervalSeconds: '60' }],
  [JTS, 'intervalOffsetSeconds', { intervalOffsetSeconds: -2 }],
  [JTS, 'intervalOffsetSeconds', { intervalOffsetSeconds: 3600 }],
  [JTS, 'timezone', { timezone: 'Mars/Base' }],
  [JTS, 'timezone', { timezone: '+10:00' }],
  [JTS, 'timezoneAdjustForDst', { timezoneAdjustForDst: 1 }],
  [JTS, 'quietMaxSeconds', { quietMaxSeconds: 119 }],
  [JTS, 'quietMaxSeconds', { quietMaxSeconds: 31_536_001 }],
  [JTS, 'quietMaxSeconds', { quietMaxSeconds: 120.5 }],
  [JTS, 'writeMode', { writeMode: 'DELETE' }],
  [JTS, 'retryAttempts', { retryAttempts: 11 }],
  [JTS, 'retryDelaySeconds', { retryDelaySeconds: 9 }],
  [JTS, 'retryDelaySeconds', { retryDelaySeconds: 1200 }],
  [JTS, 'clockSync', { clockSync: 'no' }],
  [JTS, 'initialCollection', { initialCollection: 'SOME' }],
  [JTS, 'transport', { transport: 'None' }],
  [JTS, 'transport._class', { transport: {} }],
  [JTS, 'transport._class', { transport: { _class: names.full('transport.Pigeon') } }],
  [JTS, 'transport.deviceId', { transport: { _class: names.full('transport.Scout') } }],
  [JTS, 'transport.deviceId', { transport: { _class: names.full('transport.Scout'), deviceId: '12' } }],
  [JTS, 'parser', { parser: {} }],
  [JTS, 'pakBusAddress', { pakBusAddress: 1 }],
  [PARSER, 'parser', { parser: [] }],
  [PARSER, 'parser.columns[0].type', { parser: { columns: [{ index: 0, type: 'WORD' }] } }],
  [PARSER, 'parser.columns[0].joins[0].field', { parser: { columns: [{ index: 0, type: 'NUMBER', joins: [{}] }] } }],
  [JTS, 'alarms', { alarms: [] }],
  [JTS, 'alarms.stateAlarm', alarm('stateAlarm', {})],
  [JTS, 'alarms.fireAlarm', alarm('fireAlarm', {})],
  [JTS, 'alarms.outdatedAlarm.config', alarm('outdatedAlarm', 5)],
  [JTS, 'alarms.outdatedAlarm.config.isEnabled', alarm('outdatedAlarm', { isEnabled: 1 })],
  [JTS, 'alarms.outdatedAlarm.config.notify', alarm('outdatedAlarm', { notify: 'OFTEN' })],
  [JTS, 'alarms.outdatedAlarm.config.categoryId', alarm('outdatedAlarm', { notify: 'ALWAYS' })],
  [JTS, 'alarms.outdatedAlarm.config.categoryId', alarm('outdatedAlarm', { categoryId: 'a'.repeat(24) })],
  [JTS, 'alarms.outdatedAlarm.config.messageAway', alarm('outdatedAlarm', { messageAway: long(256) })],
  [JTS, 'alarms.overloadAlarm.config.isEnabled', alarm('overloadAlarm', { isEnabled: false })],
  [JTS, 'alarms.dataAlarm.config.excludeBeforeSeconds', alarm('dataAlarm', { excludeBeforeSeconds: 119 })],
  [NUMBER, 'alarms.qualityAlarm.config.qualityTypes[0]', alarm('qualityAlarm', { qualityTypes: ['UGLY'] })],
  [NUMBER, 'alarms.stateAlarm.config', alarm('stateAlarm', {})],
  [NUMBER, 'displayType', { displayType: 'BOTH' }],
  [NUMBER, 'multiplier', { multiplier: '2' }],
  [NUMBER, 'offset', { offset: Number.POSITIVE_INFINITY }],
  [NUMBER, 'units', { units: long(31) }],
  [NUMBER, 'units', { units: 'a\0' }],
  [NUMBER, 'format', { format: 5 }],
  [NUMBER, 'series', { series: '' }],
  [NUMBER, 'isPublic', { isPublic: 'yes' }],
  [NUMBER, 'equation', { equation: 'x*y' }],
  [NUMBER, 'equation', { equation: '' }],
  [NUMBER, 'equation', { equation: 2 }],
  [NUMBER, 'equation', { equation: `x${'+1'.repeat(500)}` }],
  [TEXT, 'equation', { equation: 'x' }],
  [NUMBER, 'rating', { rating: {} }],
  [NUMBER, 'controlValue', { controlValue: 1 }],
  [NUMBER, 'isEnabled', { isEnabled: true }],
  [NUMBER, 'statesType', { statesType: 'ROUND' }],
  [NUMBER, 'states', { states: [{ name: 'HIGH', threshold: 5 }] }],
  [NUMBER, 'states[0].name', { states: [{ name: '', threshold: 5 }, { name: 'NORMAL' }] }],
  [NUMBER, 'states[1].threshold', { states: [{ name: 'NORMAL' }, { name: 'HIGH', threshold: 'x' }] }],
  [NUMBER, 'hysteresis', { hysteresis: -1 }],
  [TEXT, 'multiplier', { multiplier: 2 }],
  [TEXT, 'statesType', { statesType: 'RANGE' }],
  [TIME, 'displayType', { displayType: 'STATE' }],
  [TIME, 'states', { states: [{ name: 'A', threshold: 1 }] }],
  [NUMBER, 'chart', chart(5)],
  [NUMBER, 'chart._class', chart({ _class: 'PieChart' })],
  [NUMBER, 'chart.markerSize', chart({ markerSize: 7 })],
  [NUMBER, 'chart.lineWidth', chart({ lineWidth: 1.5 })],
  [NUMBER, 'chart.fillOpacity', chart({ fillOpacity: 101 })],
  [NUMBER, 'chart.primaryColor', chart({ primaryColor: 'blue' })],
  [NUMBER, 'chart.lineType', chart({ lineType: 'WAVY' })],
  [NUMBER, 'chart.shadow', chart({ shadow: 0 })],
  [NUMBER, 'chart.aggregation.mode', chart({ aggregation: { mode: 'MANUAL' } })],
  [NUMBER, 'chart.aggregation.type', chart({ aggregation: { mode: 'CUSTOM' } })],
  [NUMBER, 'chart.aggregation.type', chart({ aggregation: { type: 'MODE' } })],
  [TEXT, 'chart.aggregation.type', chart({ aggregation: { type: 'AVERAGE' } })],
  [NUMBER, 'chart.aggregation.percentile', chart({ aggregation: { mode: 'CUSTOM', type: 'PERCENTILE' } })],
  [NUMBER, 'chart.aggregation.percentile', chart({ aggregation: { type: 'PERCENTILE', percentile: 101 } })],
  [TEXT, 'chart.aggregation.type', chart({ aggregation: { type: 'PERCENTILE', percentile: 90 } })],
  [NUMBER, 'isDirection', { isDirection: 'N' }],
  [TEXT, 'isDirection', { isDirection: true }],
  [NUMBER, 'chart.aggregation.interval', chart({ aggregation: { period: 'FIXED', baseTime: 'D' } })],
  [NUMBER, 'chart.aggregation.interval', chart({ aggregation: { interval: 'often' } })],
  [NUMBER, 'chart.aggregation.baseTime', chart({ aggregation: { period: 'FIXED', interval: '1H' } })],
])('%s refuses %s: %j', (cls, attribute, body) => {
  expect(() => change(cls, { name: 'a' }, body)).toThrow(
    expect.objectContaining({
      kind: 'invalid_argument',
      message: expect.stringMatching(new RegExp(`^${RegExp.escape(attribute)}[: ]`)),
    }),
  );
});

test.each<[what: string, cls: string, body: Record<string, unknown>, config: Record<string, unknown>]>([
  ['choices are taken in any letter case', JTS, { scheduleType: 'server' }, { scheduleType: 'SERVER' }],
  ['zones get their usual spelling', JTS, { timezone: 'australia/perth' }, { timezone: 'Australia/Perth' }],
  [
    'a start of collection is stored as UTC',
    JTS,
    { initialCollection: '2020-01-01T02:00:00+02:00' },
    { initialCollection: '2020-01-01T00:00:00.000Z' },
  ],
  [
    'a Scout transport names its device',
    JTS,
    { transport: { _class: names.full('transport.Scout'), deviceId: '123456789012345' } },
    { transport: { class: 'Scout', deviceId: '123456789012345' } },
  ],
  ['a default is not stored', JTS, { isEnabled: true, quietMaxSeconds: 86_400 }, {}],
  [
    'a period CUSTOM is FIXED',
    TEXT,
    chart({ aggregation: { period: 'custom', interval: '1H', baseTime: 'D' } }),
    { chart: { aggregation: { period: 'FIXED', interval: '1H', baseTime: 'D' } } },
  ],
  [
    'a percentile says which',
    NUMBER,
    chart({ aggregation: { mode: 'custom', type: 'percentile', percentile: 99.5 } }),
    { chart: { aggregation: { mode: 'CUSTOM', type: 'PERCENTILE', percentile: 99.5 } } },
  ],
  ['what no direction is needs no attribute', NUMBER, { isDirection: false }, {}],
  [
    'an aggregate NONE is the mode RAW',
    TEXT,
    chart({ aggregation: { type: 'NONE' } }),
    { chart: { aggregation: { mode: 'RAW' } } },
  ],
  [
    'attributes of the other series type are ignored',
    TEXT,
    chart({ groupType: 'STACKED', lineWidth: 3 }),
    { chart: { lineWidth: 3 } },
  ],
  [
    'read-only and unknown attributes are ignored',
    JTS,
    { currentStatus: 'FAILED', lastCommsAttempt: 5, children: [], nonsense: 1 },
    {},
  ],
  ['null of an attribute that the class lacks is no attribute', JTS, { units: null }, {}],
])('%s', (_what, cls, body, config) => {
  const { settings } = change(cls, { name: 'a' }, body);
  expect(settings.config).toMatchObject(config);
  const names = Object.keys(settings.config).filter((name) => !['states', 'statesType', 'hysteresis'].includes(name));
  expect(names).toEqual(Object.keys(config));
});

test('null resets each attribute to its default', () => {
  const { settings } = change(
    JTS,
    { name: 'a', customId: '@x', timezone: 'Asia/Tokyo', ...alarm('outdatedAlarm', { isEnabled: true }) },
    { customId: null, timezone: null, alarms: null },
  );
  expect(settings).toMatchObject({ customId: null, config: {} });
});

test('what is given with the value that it has is no change', () => {
  const body = { name: 'a', units: 'm', metadata: [{ name: 'n', value: 1 }], chart: { lineWidth: 3 } };
  expect(change(NUMBER, body, body, { metadata: [{ value: 1, name: 'n' }], alarms: {} }).changed).toEqual([]);
});

test('changed attributes are listed by their public names', () => {
  const next = {
    name: 'b',
    units: 'm',
    offset: 1,
    states: [{ name: 'NORMAL' }, { name: 'HIGH', threshold: 5 }],
    hysteresis: 1,
  };
  expect(change(NUMBER, { name: 'a' }, next).changed).toEqual(['name', 'offset', 'units', 'states', 'hysteresis']);
});

test('alarms change only by what is given', () => {
  const first = alarm('outdatedAlarm', { isEnabled: true, notify: 'ALWAYS', categoryId: CATEGORY });
  const { settings } = change(JTS, { name: 'a', ...first }, alarm('outdatedAlarm', { messageAway: 'gone' }));
  expect(settings.config.alarms).toEqual({
    outdatedAlarm: { isEnabled: true, notify: 'ALWAYS', categoryId: CATEGORY, messageAway: 'gone' },
  });
});

test('a public id is made once and renewed by null', () => {
  const made = change(NUMBER, { name: 'a', isPublic: true });
  expect(made.settings.publicId).toBe('p'.repeat(15));
  expect(change(NUMBER, { name: 'a', isPublic: true }, { isPublic: false }).settings.publicId).toBe('p'.repeat(15));
});

test('enabling a source notes the time, disabling does not', () => {
  const off = change(JTS, { name: 'a', isEnabled: false });
  expect(off.settings.config).toEqual({ isEnabled: false });
  expect(changeSettings(nodeClass(JTS), off.settings, { isEnabled: true }, deps)).toMatchObject({
    settings: { config: { enabledMs: 1_000 } },
    changed: ['isEnabled'],
  });
});
