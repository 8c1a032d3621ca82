// Forms are made of the API's own description: what it says of an attribute has German words as well.
import { readFileSync } from 'node:fs';
import { settableOf } from '../data/requests/schemas.ts';
import { type Field, fieldsOf, type Schemas } from '../ui/form/schema.ts';
import { attributes } from './de/attributes.ts';
import { classes as named } from './de/classes.ts';
import { alarmTypes } from './en/alarm-types.ts';

type Described = Schemas & {
  readonly Node: { readonly discriminator: { readonly mapping: Readonly<Record<string, string>> } };
};
const description = new URL('../../../sdk/openapi.json', import.meta.url);
const schemas: Described = JSON.parse(readFileSync(description, 'utf8')).components.schemas;

/** Every language has these: numbers, signs, formats and protocols. */
const SAME = new Set([
  'FTP',
  'HTML',
  'TTS',
  'CHIRPSTACK',
  'A3',
  'A4',
  'A5',
  'Helvetica',
  'Courier',
  'Times',
  'UINT16',
  'INT16',
  'UINT32',
  'INT32',
  'UINT64',
  'INT64',
  'FLOAT32',
  'FLOAT64',
  'UTF-8',
  'ISO-8859-1',
  'windows-1252',
  'UTF-16LE',
  'UTF-16BE',
]);
const isSame = (choice: string): boolean => SAME.has(choice) || !/[A-Za-z]/.test(choice);
/** Whoever draws the form makes it, and shows it to nobody; coefficients are letters. */
const isUnnamed = (name: string): boolean => name === '_id' || name.length === 1;

const fields = Object.keys(schemas.Node.discriminator.mapping).flatMap((name) => {
  const own = settableOf(schemas as Parameters<typeof settableOf>[0], name);
  return own ? fieldsOf(own as Schemas[string], schemas).flatMap(withInner) : [];
});

function withInner(field: Field): readonly Field[] {
  const { shape } = field;
  const inner =
    shape.kind === 'list'
      ? [shape.item]
      : shape.kind === 'object'
        ? shape.fields
        : shape.kind === 'oneOf'
          ? shape.options.flatMap((option) => option.fields)
          : [];
  return [field, ...inner.flatMap(withInner)];
}

const missing = (texts: readonly string[], known: Readonly<Record<string, string>>): readonly string[] =>
  [...new Set(texts)].filter((text) => text !== '' && !Object.hasOwn(known, text));

test('every attribute of every class has a German name', () => {
  expect(fields.length).toBeGreaterThan(500);
  const names = fields.map(({ name }) => name).filter((name) => !isUnnamed(name));
  expect(missing(names, { ...attributes.labels, parentId: '' })).toEqual([]);
});

test('every hint at an attribute has a German text, and no text is of a hint of before', () => {
  const hints = fields.map(({ hint }) => hint).filter((hint) => !/, as bodies give it\.$/.test(hint));
  const used = { ...attributes.hints, 'Id or `@customId` of the node that it lies in.': '' };
  expect(missing(hints, used)).toEqual([]);
  expect(Object.keys(attributes.hints).filter((hint) => !hints.includes(hint))).toEqual([]);
});

test('every type of alarm has its words', () => {
  const described = Object.keys(schemas).filter((name) => name.endsWith('Alarm'));
  const types = described.map((name) => `${name.charAt(0).toLowerCase()}${name.slice(1)}`);
  expect(Object.keys(alarmTypes).sort()).toEqual(types.sort());
});

test('every choice has a German word', () => {
  const isClass = ({ name }: Field) => name === '_class';
  const choicesOf = ({ shape }: Field) => ('choices' in shape ? shape.choices.map(String) : []);
  const choices = fields.filter((field) => !isClass(field)).flatMap(choicesOf);
  expect(
    missing(
      choices.filter((choice) => !isSame(choice)),
      attributes.choices,
    ),
  ).toEqual([]);
  const classes = fields.flatMap(({ shape }) => (shape.kind === 'oneOf' ? shape.options.map(({ name }) => name) : []));
  const short = [...classes, ...fields.filter(isClass).flatMap(choicesOf)].map((name) =>
    name.slice(name.lastIndexOf('.') + 1),
  );
  expect(missing(short, named)).toEqual([]);
});
