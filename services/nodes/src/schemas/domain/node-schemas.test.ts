import { defaultStates } from '@catchment/states';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { classNames } from '../../domain/body/class-names.ts';
import { ALL_CLASSES, nodeClass } from '../../domain/classes/class-table.ts';
import type { Config } from '../../domain/classes/node.ts';
import type { TRANSPORTS } from '../../domain/classes/transport-fields.ts';
import { nodeView, type ViewedNode } from '../../views/index.ts';
import { nodeSchemas, schemaName } from './node-schemas.ts';

const NAMES = classNames('org.example');
const ID = 'a'.repeat(24);
const NOTHING = { number: null, stateId: null };

const node = (name: string, more: Partial<ViewedNode> = {}): ViewedNode => ({
  nodeId: ID,
  ownerId: ID,
  workspaceId: ID,
  parentId: null,
  class: name,
  isActive: true,
  createdMs: 0,
  revision: 1,
  templateNodeId: null,
  instanceId: null,
  name: 'x',
  customId: null,
  seriesKey: null,
  publicId: null,
  config: {},
  edges: { current: null, previous: null, oldest: null },
  shown: { current: NOTHING, previous: NOTHING, oldest: NOTHING, status: 'IDLE' },
  counters: { lastAttemptMs: null, lastSuccessMs: null, totalAttempts: 0, totalSuccesses: 0, lastRecordCount: 0 },
  logger: { model: null, firmwareVersion: null, progName: null },
  updatedMs: null,
  controlValue: null,
  alarms: {},
  dataMs: 0,
  newestAttachmentId: null,
  ...more,
});

/** Returns the same schema, without other properties than those that it lists. */
const closed = (schema: unknown) =>
  JSON.parse(JSON.stringify(schema), (_name, value) =>
    value?.type === 'object' ? { additionalProperties: false, ...value } : value,
  );
const { nodes, nodeParts } = nodeSchemas(NAMES);
const ajv = new Ajv2020({ strict: false, validateFormats: false });
for (const [name, schema] of Object.entries(nodeParts)) ajv.addSchema(closed(schema), name);

const misfits = (viewed: ViewedNode) => {
  const matches = ajv.compile(closed(nodes[schemaName(nodeClass(viewed.class))]));
  // The view has the form that a client gets.
  const view = JSON.parse(JSON.stringify(nodeView(viewed, { names: NAMES, nowMs: 0, urlOf: () => 'https://x' })));
  return matches(view) ? null : matches.errors;
};

const file = { name: 'a.png', size: 1, previewSize: 1, mimeType: 'image/png' };
/** Returns what every node of the class has from its creation on. */
function configOf(name: string): Config {
  const { specials, family } = nodeClass(name);
  if (name === 'Attachment') return { file } as Config;
  return specials.includes('states') ? (defaultStates(family === 'TEXT' ? 'TEXT' : 'NUMBER', () => ID) as Config) : {};
}

test.each(ALL_CLASSES.map(({ name }) => [name]))('%s: what is shown of a new one is as its schema says', (name) => {
  expect(
    misfits(node(name, { config: configOf(name), parentId: /^(Workspace|Templates)$/.test(name) ? null : ID })),
  ).toBe(null);
});

test.each([
  ['NumberPoint', 7.5],
  ['TextPoint', 'open'],
  ['TimePoint', { $millis: 0 }],
  ['NumberControlPoint', 7.5],
] as const)('%s: values, states and alarms are as its schema says', (short, value) => {
  const record = { ms: 0, value, quality: 192 };
  const shown = { number: typeof value === 'number' ? value : null, stateId: short === 'TimePoint' ? null : ID };
  const alarm = { alarmState: 'ACTIVE', message: 'high', categoryId: ID, activeTime: 0, acknowledgeTime: null };
  const viewed = node(`point.${short}`, {
    parentId: ID,
    customId: 'a',
    publicId: 'p',
    seriesKey: 's',
    updatedMs: 0,
    templateNodeId: ID,
    instanceId: ID,
    edges: { current: record, previous: record, oldest: record },
    shown: { current: shown, previous: shown, oldest: shown, status: null },
    alarms: { qualityAlarm: { ...alarm, acknowledgeUsername: null, acknowledgeComment: null } as never },
    controlValue: short === 'NumberControlPoint' ? 5 : null,
    config: { ...configOf(`point.${short}`), isPublic: true, chart: { type: 'ColumnChart' } },
  });
  expect(misfits(viewed)).toBe(null);
});

test('a class shows its own transports only', () => {
  const modbus = (name: keyof typeof TRANSPORTS) =>
    node('source.data.Modbus', { parentId: ID, config: { transport: { class: name } as never } });
  expect(misfits(modbus('TcpClient'))).toBe(null);
  expect(misfits(modbus('Mqtt'))).not.toBe(null);
});

test('an attribute that is shown without being listed does not fit', () => {
  const { properties, ...rest } = nodes.Group as { properties: Record<string, object> };
  const { metadata: _metadata, ...others } = properties;
  expect(ajv.validate({ ...rest, additionalProperties: false, properties: others }, { metadata: [] })).toBe(false);
});
