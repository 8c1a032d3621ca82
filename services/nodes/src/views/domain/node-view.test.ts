import { classNames } from '../../domain/body/class-names.ts';
import type { JsonObject, Rule } from '../../domain/body/rule.ts';
import { ALL_CLASSES } from '../../domain/classes/class-table.ts';
import type { NodeClass } from '../../domain/classes/node-class.ts';
import { type RawValue, shownOf } from '../../shown/index.ts';
import { nodeText, nodeView } from './node-view.ts';
import type { ViewedNode } from './viewed-node.ts';

const names = classNames('io.svc');
const context = { names, nowMs: Date.UTC(2026, 0, 2), urlOf: () => 'https://files.test/"a"' };
const ID = '0123456789abcdef01234567';
const TEXT = 'Wehr "Süd"\n\\ \u2028 \u{1f600}';
const STATE = {
  _id: ID,
  index: 0,
  name: TEXT,
  threshold: null,
  occurrences: 1,
  isAlarm: false,
  notify: 'NEVER' as const,
  categoryId: null,
  messageAway: '',
  messageTowards: '',
  qualityCode: null,
  description: '',
};
const VALUES: Readonly<Record<string, RawValue>> = {
  NUMBER: 1e-7,
  TEXT,
  TIME: { $millis: 0 },
  COORDINATES: [-41.5, 1e21],
};

/** Makes a value that meets the kind of a rule. */
function fitting(rule: Rule): unknown {
  switch (rule.kind) {
    case 'boolean':
      return true;
    case 'number':
    case 'integer':
      return 5;
    case 'list':
      return [fitting(rule.item)];
    case 'object':
      return Object.fromEntries(Object.entries(rule.fields).map(([name, field]) => [name, fitting(field.rule)]));
    case 'checked':
      return fitting(rule.rule);
    case 'raw':
      return fitting(rule.of);
    default:
      return TEXT;
  }
}

function node(cls: NodeClass, isFull: boolean): ViewedNode {
  const attributes = Object.entries(cls.attributes).filter(([name, { view }]) => name !== 'series' && !view);
  const config = (
    isFull
      ? {
          ...Object.fromEntries(attributes.map(([name, { rule }]) => [name, fitting(rule)])),
          isPublic: true,
          equation: 'x * 2',
          ...(cls.specials.includes('states') && { statesType: 'RANGE', states: [STATE], hysteresis: 0.5 }),
          ...(cls.alarms.length > 0 && { alarms: { [cls.alarms[0]!]: { notify: 'ALWAYS' } } }),
          ...(cls.kind === 'attachment' && { file: { name: TEXT, size: 7, mimeType: 'image/png', previewSize: 3 } }),
        }
      : {}
  ) as ViewedNode['config'];
  const value = cls.family && isFull ? VALUES[cls.family]! : null;
  const record = value === null ? null : { ms: -1, value, quality: 192 };
  const edges = { current: record, previous: record && { ...record, quality: null }, oldest: null };
  const optional = <T>(value: T): T | null => (isFull ? value : null);
  return {
    nodeId: ID,
    ownerId: ID,
    workspaceId: ID,
    parentId: optional(ID),
    class: cls.name,
    name: TEXT,
    customId: optional(TEXT),
    seriesKey: optional(TEXT),
    publicId: optional('q8'),
    isActive: !isFull,
    createdMs: 1,
    revision: 3,
    config,
    templateNodeId: optional(ID),
    instanceId: optional(ID),
    edges,
    shown: shownOf({ class: cls.name, config, reported: null }, edges),
    updatedMs: optional(1_500),
    counters: {
      lastAttemptMs: optional(1),
      lastSuccessMs: null,
      totalAttempts: 2,
      totalSuccesses: 1,
      lastRecordCount: 0,
    },
    logger: { model: optional(TEXT), firmwareVersion: null, progName: null },
    controlValue: optional(value),
    alarms: {},
    dataMs: 5,
    newestAttachmentId: optional(ID),
  };
}

describe.each(ALL_CLASSES.map((cls) => [cls.name, cls] as const))('%s', (_name, cls) => {
  test.each([
    ['with nothing of its own', false],
    ['with all that it may have', true],
  ])('the text of a node %s is that of its document', (_what, isFull) => {
    const source = node(cls, isFull);
    expect(nodeText(source, context)).toBe(JSON.stringify(nodeView(source, context)));
  });

  test('nothing that is absent is shown', () => {
    const shown = Object.values(nodeView(node(cls, false), context) as JsonObject);
    expect(shown.filter((value) => value === null || value === undefined)).toEqual([]);
  });
});
