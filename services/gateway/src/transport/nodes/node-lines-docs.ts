import { NODE_CHILDREN, NODE_SEARCH, RAISED_STATES } from '@catchment/query';
import { json, operation, UNCHANGED } from '../openapi/parts.ts';

const tag = 'Nodes';
const extension = true;
const TEXT = { type: 'string' };
const COUNT = { type: 'integer', minimum: 0 };
const TIME = { type: 'string', format: 'date-time' };

const LINE = {
  required: ['_id', '_class', 'name', 'revision', 'isActive', 'alarm', 'permissions'],
  properties: {
    _id: TEXT,
    _class: TEXT,
    name: TEXT,
    customId: TEXT,
    revision: { type: 'integer', description: 'Rises with each change of its configuration.' },
    parentId: TEXT,
    workspaceId: TEXT,
    isActive: { type: 'boolean' },
    templateId: TEXT,
    status: { ...TEXT, description: 'Of a source: its `currentStatus`.' },
    currentValue: { description: 'Of a parameter or Location, as of GET.' },
    currentTime: TIME,
    currentStateId: TEXT,
    currentState: { ...TEXT, description: 'The name of the state.' },
    displayType: TEXT,
    units: TEXT,
    format: TEXT,
    alarm: { enum: [null, ...RAISED_STATES], description: 'The worst of its own.' },
    permissions: {
      type: 'array',
      description: 'What the caller may do with it.',
      items: TEXT,
    },
  },
};

const page = (more: Readonly<Record<string, object>>) => ({
  type: 'object',
  required: ['nodes', 'next'],
  properties: {
    nodes: {
      type: 'array',
      items: {
        type: 'object',
        required: [...LINE.required, ...Object.keys(more)],
        properties: { ...LINE.properties, ...more },
      },
    },
    next: { type: ['string', 'null'], description: 'The `after` of the page that follows; null: there is none.' },
  },
});

export const searchNodes = operation({
  id: 'searchNodes',
  tag,
  summary: 'Search nodes by words',
  description:
    'Of what the caller may see, the nodes in which every word is found, as a part of the name, of a name above, of the customId or of metadata; letter case and accents aside. First the node whose name or customId is just that, then names that begin with it, then those whose words begin with the words.',
  query: NODE_SEARCH,
  success: json(200, 'A page of nodes, the best first.', page({ path: TEXT })),
  others: UNCHANGED,
  extension,
});

export const listChildren = operation({
  id: 'listChildren',
  tag,
  summary: 'List what lies directly under a node',
  description: 'Of what the caller may see, in the order of a tree, with how much lies below each.',
  query: NODE_CHILDREN,
  success: json(
    200,
    'A page of nodes.',
    page({
      childCount: { ...COUNT, description: 'How many lie directly under it.' },
      alarmsBelow: {
        type: 'object',
        description: 'How many alarms of nodes below it, at any depth, are raised.',
        required: ['active', 'acknowledged'],
        properties: { active: COUNT, acknowledged: COUNT },
      },
    }),
  ),
  others: UNCHANGED,
  extension,
});
