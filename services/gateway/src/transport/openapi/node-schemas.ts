import { API_SCHEMAS } from '@catchment/contracts/api-schemas';
import { described } from './attributes.ts';
import { classOf, NODE_CLASSES } from './node-classes.ts';
import { wholeOrPart } from './parts.ts';

type Schema = Readonly<Record<string, unknown>>;
type Component = Schema & { readonly $id: string };
type Name = keyof typeof NODE_CLASSES;

/** An answer shows such a node. */
export const WHOLE_NODE = { $ref: 'Node#' };
/** An operation with `attr` answers a node like this. */
export const NODE = wholeOrPart('Node');

const NAMES = Object.keys(NODE_CLASSES) as Name[];
const creations: Readonly<Record<string, Schema>> = API_SCHEMAS.nodeCreations;
const CREATED = NAMES.filter((name) => name in creations);

/** Describes one of several classes, which `_class` distinguishes. */
const byClass = (names: readonly Name[], suffix: string) => ({
  type: 'object',
  required: ['_class'],
  discriminator: {
    propertyName: '_class',
    mapping: Object.fromEntries(names.map((name) => [classOf(name), `#/components/schemas/${name}${suffix}`])),
  },
  oneOf: names.map((name) => ({ $ref: `${name}${suffix}#` })),
});

const WARNINGS = { warnings: { $ref: 'NodeWarnings#' } };
/** Shows a node of a class. */
const shown = (name: Name): Component => {
  const { properties, ...rest } = API_SCHEMAS.nodes[name];
  const children = { children: { type: 'array', items: WHOLE_NODE, description: 'With `type=TREE`.' } };
  return {
    $id: name,
    description: NODE_CLASSES[name].about,
    ...rest,
    properties: { ...described(properties), ...children, ...WARNINGS },
  };
};

const creation = (name: Name): Component => {
  const { properties, ...rest } = creations[name] as Schema & { readonly properties: Readonly<Record<string, object>> };
  const { about, example } = NODE_CLASSES[name];
  return {
    $id: `${name}Creation`,
    description: about,
    ...rest,
    properties: described(properties),
    ...(example && { examples: [example] }),
  };
};

/** Describes a part that several classes have, in words: of `SmsTransportInput` it is the transport Sms as bodies give it. */
function aboutPart(name: string): string {
  const isInput = name.endsWith('Input');
  const what = name.replace(/Input$/, '');
  const [, transport] = /^(\w+)Transport$/.exec(what) ?? [];
  const words = what.replaceAll(/\B[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return `${transport === undefined ? words : `The transport ${transport}`}, as ${isInput ? 'bodies give' : 'answers show'} it.`;
}

/** OpenAPI has these schemas of nodes as `components/schemas`. */
export const NODE_COMPONENTS: readonly Component[] = [
  {
    $id: 'NodeAttributes',
    type: 'object',
    description:
      'What a body may set; which attributes a node has depends on its class. Words may be given in any letter case; null resets to the default.',
    properties: described(API_SCHEMAS.nodeAttributes),
  },
  {
    $id: 'NodeCreation',
    description: 'A node that is to be made, with any attribute of its class.',
    ...byClass(CREATED, 'Creation'),
  },
  {
    $id: 'Node',
    description: 'A node of the tree. Its class decides which attributes it has.',
    ...byClass(NAMES, ''),
    examples: [
      {
        _class: classOf('Workspace'),
        _id: '53eada0ada91110000000046',
        name: 'Glacier',
        ownerId: '53eada0ada91110000000001',
        createdTime: '2024-08-16T02:00:39.000Z',
        isActive: true,
        metadata: [],
        mapLayers: [],
      },
    ],
  },
  {
    $id: 'NodePart',
    type: 'object',
    description: 'What `attr` asks for of a node: attributes of its class, of which dotted names take parts.',
    properties: {
      ...described(API_SCHEMAS.nodePart),
      children: { type: 'array', items: { $ref: 'NodePart#' }, description: 'With `type=TREE`.' },
      ...WARNINGS,
    },
  },
  {
    $id: 'NodeWarnings',
    type: 'array',
    description:
      'Answers of changes alone: what a rename, a move or a change of a template has broken elsewhere. Absent where nothing is.',
    'x-extension': true,
    items: {
      type: 'object',
      required: ['message'],
      properties: {
        nodeId: { type: 'string', description: 'The node that no longer works as before.' },
        path: {
          type: 'string',
          description: 'Its names from the Workspace down.',
          examples: ['Coast/Pier/Logger/Level above datum'],
        },
        message: {
          type: 'string',
          description: 'What is broken.',
          examples: ["the program's path '../Logger/Level' leads to no node any more"],
        },
      },
    },
  },
  ...NAMES.map(shown),
  ...CREATED.map(creation),
  ...Object.entries(API_SCHEMAS.nodeParts).map(([name, schema]) => ({
    $id: name,
    description: aboutPart(name),
    ...schema,
  })),
];
