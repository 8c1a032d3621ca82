// Attributes that the API's own schemas let people set are held against the fields that the console makes of them.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { ALL_CLASSES, isUpdatable, UPDATABLE_NAMES } from '../services/nodes/src/domain/classes/class-table.ts';
import { kindOf, TILE_TYPES } from '../web/src/data/pages/tiles.ts';
import { settableOf } from '../web/src/data/requests/schemas.ts';
import { PROCESS_FIELDS } from '../web/src/pages/node/program/process-fields.ts';
import { isElsewhere, isShown } from '../web/src/pages/node/settings/groups.ts';
import { type Field, fieldsOf, type JsonSchema, type Schemas } from '../web/src/ui/form/schema.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const read = (file: string) => readFile(path.join(ROOT, file), 'utf8');
const all = JSON.parse(await read('sdk/openapi.json')).components.schemas as Schemas;
const mapping = (all.Node as { readonly discriminator?: { readonly mapping: Record<string, string> } }).discriminator;
const CLASSES = Object.keys(mapping?.mapping ?? {});

/** No form asks a person for these paths. */
const NOT_BY_PEOPLE: Readonly<Record<string, string>> = {
  'files[]._id': 'an entry keeps the id that it was given',
  'states[]._id': 'a state keeps the id that it was given',
  'tiles[]._id': 'a tile keeps the id that it was given',
  'template.styles[]._id': 'a style keeps the id that it was given',
  'template.elements[]._id': 'a block keeps the id that it was given',
  'template.elements[].elements[]._id': 'a block keeps the id that it was given',
};

/** Attributes that are not in the settings of a node are set in these files. */
const ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  _class: ['web/src/app/tree/create-dialog.tsx'],
  parentId: ['web/src/data/nodes/changes.ts'],
  process: ['web/src/pages/node/program/document.ts', 'web/src/pages/node/program/process-fields.ts'],
  rating: [
    'web/src/pages/node/rating/index.tsx',
    'web/src/pages/node/rating/ratings-field.tsx',
    'web/src/pages/node/rating/curve.ts',
    'web/src/pages/node/rating/entry-fields.tsx',
  ],
  sharedCode: ['web/src/pages/node/program/index.tsx'],
};

const short = (name: string): string => name.slice(name.lastIndexOf('.') + 1);

function resolved(schema: JsonSchema): JsonSchema {
  const { $ref, allOf = [], ...rest } = schema;
  const parts = [...($ref ? [all[short($ref.replaceAll('/', '.'))] ?? {}] : []), ...allOf].map(resolved);
  return Object.assign({}, ...parts, rest);
}

/** Returns every value of a schema by its path; of several classes each has its own. */
function leaves(given: JsonSchema, at: string, depth = 0): readonly string[] {
  const schema = resolved(given);
  const either = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  if (schema.readOnly || depth > 12) return [];
  if (either.length > 0) return [...new Set(either.flatMap((branch) => leaves(branch, at, depth + 1)))];
  if (schema.items) return leaves(schema.items, `${at}[]`, depth + 1);
  if (!schema.properties) return schema.type === 'null' ? [] : [at];
  const of = schema.properties._class?.enum;
  const name = of?.length === 1 ? `${at}<${short(String(of[0]))}>` : at;
  return Object.entries(schema.properties)
    .filter(([inner]) => inner !== '_class' || of?.length !== 1)
    .flatMap(([inner, property]) => leaves(property, name === '' ? inner : `${name}.${inner}`, depth + 1));
}

/** Lists every input that forms make of a field, by the same paths; what would have to be written as JSON is none. */
function inputs(field: Field, at: string): readonly string[] {
  const { shape } = field;
  switch (shape.kind) {
    case 'json':
      return [];
    case 'list':
      // A word in the place of a list is chosen by a list that is empty.
      return [...inputs(shape.item, `${at}[]`), ...(shape.word === undefined ? [] : [at])];
    case 'object':
      return inputsOf(shape.fields, at);
    case 'oneOf':
      return shape.options.flatMap(({ name, fields }) => inputsOf(fields, `${at}<${short(name)}>`));
    default:
      return [at];
  }
}

function inputsOf(fields: readonly Field[], at: string): readonly string[] {
  return fields
    .filter((field) => canBeShown(field, fields, at))
    .flatMap((field) => inputs(field, at === '' ? field.name : `${at}.${field.name}`));
}

/** Returns whether some choice in the fields beside it, or in two of them, shows a field. */
function canBeShown({ name }: Field, beside: readonly Field[], at: string): boolean {
  const place = at.replaceAll('[]', '[0]').replaceAll(/<\w+>/g, '');
  const shows = (siblings: Readonly<Record<string, unknown>>) =>
    isShown(place === '' ? name : `${place}.${name}`, siblings);
  const chosen = beside.flatMap((field) =>
    field.shape.kind === 'choice' ? field.shape.choices.map((choice) => ({ [field.name]: choice })) : [],
  );
  return shows({}) || chosen.some((choice) => shows(choice) || chosen.some((other) => shows({ ...choice, ...other })));
}

describe.each(CLASSES)('%s', (name) => {
  const schema = settableOf(all as Parameters<typeof settableOf>[0], name) as JsonSchema;
  const fields = fieldsOf(schema, all);

  test('each value of each attribute has a field in the settings, or an editor of its own', () => {
    const here = fields.filter((field) => !isElsewhere(field.name, { _class: name }));
    const there = fields.filter((field) => isElsewhere(field.name, { _class: name })).map((field) => field.name);
    expect(there.filter((attribute) => !Object.hasOwn(ELSEWHERE, attribute))).toEqual([]);
    const known = new Set(inputsOf(here, ''));
    const lacking = leaves(schema, '')
      .map((at) => at.replace(/^<\w+>\.?/, ''))
      .filter((at) => !there.some((attribute) => at === attribute || at.startsWith(`${attribute}.`)))
      .filter((at) => !known.has(at) && !Object.hasOwn(NOT_BY_PEOPLE, at));
    expect(lacking).toEqual([]);
  });

  test('the schema of the form has every attribute that the service lets a body set', () => {
    const cls = ALL_CLASSES.find((candidate) => name.endsWith(`.node.${candidate.name}`));
    const settable = [...UPDATABLE_NAMES].filter((name) => cls && isUpdatable(cls, name));
    const named = fields.map((field) => field.name);
    // A Location and a Time have no states: a body that gives some is refused with the reason.
    const hasStates = cls?.specials.includes('states');
    const lacking = settable.filter(
      (name) => !named.includes(name) && (hasStates || !['states', 'statesType', 'hysteresis'].includes(name)),
    );
    expect(lacking).toEqual([]);
  });
});

test('the editors of code and of ratings write every part of them', async () => {
  const parts = (name: string, attribute: string) => {
    const schema = settableOf(all as Parameters<typeof settableOf>[0], name) as JsonSchema;
    return fieldsOf(schema, all).find((field) => field.name === attribute);
  };
  const named = (field: Field | undefined): readonly string[] => {
    const shape = field?.shape;
    if (shape?.kind === 'list') return named(shape.item);
    if (shape?.kind !== 'object') return [];
    return shape.fields.flatMap((field) => (field.name.length === 1 ? [] : [field.name, ...named(field)]));
  };
  const of = (kind: string) => CLASSES.find((name) => name.endsWith(`.${kind}`)) ?? '';
  for (const kind of ['Processor', 'NumberProcessPoint', 'TextProcessPoint', 'TimeProcessPoint'])
    expect(named(parts(of(kind), 'process')).toSorted()).toEqual(PROCESS_FIELDS.toSorted());
  const rating = named(parts(of('NumberRatingPoint'), 'rating'));
  expect(rating.length).toBeGreaterThan(4);
  const text = (await Promise.all((ELSEWHERE.rating ?? []).map(read))).join('\n');
  expect(rating.filter((name) => !text.includes(name))).toEqual([]);
});

test.each(Object.entries(ELSEWHERE))('%s is written by the file that is named', async (name, files) => {
  expect((await Promise.all(files.map(read))).join('\n')).toContain(name);
});

test('the editor of a dashboard asks for every setting of every type of tile', () => {
  const dashboard = CLASSES.find((name) => name.endsWith('.Dashboard')) ?? '';
  const schema = settableOf(all as Parameters<typeof settableOf>[0], dashboard) as JsonSchema;
  const tiles = fieldsOf(schema, all).find(({ name }) => name === 'tiles')?.shape;
  const item = tiles?.kind === 'list' && tiles.item.shape.kind === 'object' ? tiles.item.shape.fields : [];
  const type = item.find(({ name }) => name === 'type')?.shape;
  expect(type?.kind === 'choice' && [...type.choices].toSorted()).toEqual(TILE_TYPES.toSorted());
  const config = item.find(({ name }) => name === 'config')?.shape;
  const asked = new Set(TILE_TYPES.flatMap((type) => kindOf(type).config));
  expect(config?.kind === 'object' && config.fields.map(({ name }) => name).toSorted()).toEqual([...asked].toSorted());
});
