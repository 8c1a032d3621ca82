import { Ajv2020 } from 'ajv/dist/2020.js';
import { HIDDEN } from '../../domain/body/auth-keys.ts';
import { classNames } from '../../domain/body/class-names.ts';
import { NO_CONTEXT, type Rule, readValue } from '../../domain/body/rule.ts';
import { schemaOf } from '../../domain/body/rule-schema.ts';
import { ALL_CLASSES } from '../../domain/classes/class-table.ts';
import { apiSchemas } from './api-schemas.ts';
import { schemaName } from './node-schemas.ts';

const ajv = new Ajv2020({ strict: false, validateFormats: false });
const NODE_ID = 'a'.repeat(24);
const CONTEXT = {
  ...NO_CONTEXT,
  hasCategory: () => true,
  findNode: () => ({ nodeId: NODE_ID, class: 'point.NumberPoint', workspaceId: '', name: '', displayType: 'VALUE' }),
};
const isRead = (rule: Rule, value: unknown): boolean => {
  try {
    readValue(rule, value, 'x', CONTEXT);
    return true;
  } catch {
    return false;
  }
};

test.each([
  ['boolean', { kind: 'boolean' }, [true, false], ['true', 1, null]],
  ['number', { kind: 'number', min: 0, max: 2 }, [0, 1.5], [-1, 3, '1', null]],
  ['number without bounds', { kind: 'number' }, [-1e300, 0], ['1']],
  ['integer', { kind: 'integer', min: -1, max: 5 }, [-1, 5], [-2, 6, 1.5, '1']],
  ['one of whole numbers', { kind: 'choiceOfIntegers', of: [60, 120] }, [60], [61, '60']],
  ['text', { kind: 'text', min: 1, max: 3 }, ['a', '𝔘𝔘𝔘'], ['', 'abcd', 1]],
  ['text with a pattern', { kind: 'text', max: 7, pattern: /^#[0-9a-f]{6}$/ }, ['#12abcd'], ['#12abcg']],
  ['secret', { kind: 'secret', max: 9 }, ['12345'], ['', '1234567890', 1]],
  ['choice', { kind: 'choice', of: ['LOW', 'HIGH'] }, ['LOW'], ['MIDDLE', 1]],
  ['category', { kind: 'categoryId' }, [NODE_ID], ['x', 1]],
  ['reference', { kind: 'nodeRef', classPrefix: 'point.', what: 'a parameter' }, [NODE_ID, '@rain'], ['rain', 1]],
  ['entry id', { kind: 'entryId' }, [NODE_ID], ['x']],
  ['list', { kind: 'list', min: 1, max: 2, item: { kind: 'boolean' } }, [[true]], [[], [1], [true, true, true], {}]],
  [
    'object',
    { kind: 'object', fields: { a: { required: true, rule: { kind: 'boolean' } }, b: { rule: { kind: 'number' } } } },
    [{ a: true }, { a: true, b: null, c: 1 }],
    [{}, { a: null }, { a: true, b: 'x' }, []],
  ],
  [
    'either',
    { kind: 'anyOf', rules: [{ kind: 'choice', of: ['ALL'] }, { kind: 'number' }], rule: 'must be ALL or a number' },
    ['ALL', 5],
    ['NONE', true],
  ],
  ['checked', { kind: 'checked', rule: { kind: 'number', max: 5 }, check: (value) => value }, [5], [6]],
] as [string, Rule, unknown[], unknown[]][])(
  '%s: what the rule reads and refuses, the schema does',
  (_what, rule, good, bad) => {
    const matches = ajv.compile(schemaOf(rule));
    for (const value of good) expect([value, isRead(rule, value), matches(value)]).toEqual([value, true, true]);
    for (const value of bad) expect([value, isRead(rule, value), matches(value)]).toEqual([value, false, false]);
  },
);

test('a secret that is shown hidden matches', () => {
  expect(ajv.validate(schemaOf({ kind: 'secret', max: 5, pattern: /^\d{1,5}$/ }), HIDDEN)).toBe(true);
});

const { nodeCreations, nodeParts } = apiSchemas(classNames('org.example'));
for (const [name, schema] of Object.entries(nodeParts)) ajv.addSchema(schema, name);

test.each(ALL_CLASSES.filter(({ kind }) => kind !== 'attachment').map((cls) => [cls.name, cls] as const))(
  '%s: every attribute has a schema that its default and null match',
  (name, cls) => {
    const creation = nodeCreations[schemaName(cls)] as { properties: Record<string, object> };
    expect(creation.properties._class).toEqual({ type: 'string', enum: [`org.example.models.node.${name}`] });
    for (const [attribute, { default: fallback }] of Object.entries(cls.attributes)) {
      const schema = creation.properties[attribute]!;
      for (const value of [fallback, null])
        expect([attribute, ajv.validate(schema, value), ajv.errors]).toEqual([attribute, true, null]);
    }
  },
);
