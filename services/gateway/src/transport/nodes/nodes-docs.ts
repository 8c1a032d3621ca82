import { API_SCHEMAS } from '@catchment/contracts/api-schemas';
import { ATTR, NODE_CLONE, NODE_LIST, NODE_READ, RATING_READ, RATING_WRITE } from '@catchment/query';
import { NODE, WHOLE_NODE } from '../openapi/node-schemas.ts';
import { json, operation, UNCHANGED, withRevision } from '../openapi/parts.ts';

const tag = 'Nodes';

export const listNodes = operation({
  id: 'listNodes',
  tag,
  summary: 'List nodes',
  description: 'All nodes that the key may see. With `type=TREE`, `filter`, `limit`, `skip` and `sort` are refused.',
  query: NODE_LIST,
  success: json(200, 'The nodes.', { type: 'array', items: NODE }),
  others: UNCHANGED,
});

export const createNode = operation({
  id: 'createNode',
  tag,
  summary: 'Create a node',
  description:
    'Workspaces and Groups; as an extension any class below a parent that may hold it, with every updatable attribute (what no node has is refused by name, what is only read is ignored), and the account’s one root of `Templates`. A node made in a template is made in all its instances.',
  body: {
    allOf: [{ $ref: 'NodeCreation#' }],
    examples: [{ _class: 'io.svc.models.node.Workspace', name: 'Glacier' }],
  },
  success: json(201, 'The new node.', WHOLE_NODE),
});

export const getNode = operation({
  id: 'getNode',
  tag,
  summary: 'Get a node',
  withId: true,
  query: NODE_READ,
  success: json(200, 'The node.', NODE),
  others: UNCHANGED,
});

export const updateNode = withRevision(
  operation({
    id: 'updateNode',
    tag,
    summary: 'Update a node',
    description:
      'Only the attributes sent change; read-only ones are ignored. Instances follow a node of their template; what they may have of their own, that node lists in `overrides`. Anything else of an instance is locked (400), but the name of its root, `customId` and `isPublic`.',
    withId: true,
    query: ATTR,
    body: { allOf: [{ $ref: 'NodeAttributes#' }], examples: [{ name: 'Weather', customId: 'station-7' }] },
    success: json(200, 'The node as it is now.', NODE),
  }),
);

export const getRating = operation({
  id: 'getRating',
  tag,
  summary: 'Export a rating',
  description:
    'Of a rating parameter, as CSV: a line for each entry, `"2019-05-14T00:00:00.000Z","table",0:0,1:10,2:20` or `"2020-10-10T00:00:00.000Z","polynomial",a:1.1,b:2.5`. Without a rating it is empty.',
  withId: true,
  query: RATING_READ,
  success: { status: 200, description: 'The entries.', content: { 'text/csv': { schema: { type: 'string' } } } },
  others: UNCHANGED,
  extension: true,
});

export const putRating = withRevision(
  operation({
    id: 'putRating',
    tag,
    summary: 'Import a rating',
    description:
      'The entries of the file take the place of all that the rating has, and its whole series is computed anew. A refusal names the line.',
    withId: true,
    query: RATING_WRITE,
    body: { type: 'string', examples: ['"2019-05-14T00:00:00.000Z","table",0:0,1:10,2:20'] },
    consumes: 'text/csv',
    success: json(200, 'The node as it is now.', NODE),
    extension: true,
  }),
);

export const deleteNode = withRevision(
  operation({
    id: 'deleteNode',
    tag,
    summary: 'Delete a node',
    description: 'With everything below it, its historic data and its events. Cannot be undone.',
    withId: true,
    success: json(200, 'Deleted.', { $ref: 'Status#' }, { status: { code: 200, message: 'Success' } }),
  }),
);

export const moveNode = withRevision(
  operation({
    id: 'moveNode',
    tag,
    summary: 'Move a node',
    description:
      'Puts a node with everything below it under another parent of the account. Ids, records and events stay. Workspaces and parameters cannot be moved.',
    withId: true,
    query: ATTR,
    body: {
      type: 'object',
      required: ['parentId'],
      properties: { parentId: { type: 'string', description: 'Id or `@customId` of the new parent.' } },
      examples: [{ parentId: '53eada0ada91110000000046' }],
    },
    success: json(200, 'The node as it is now.', NODE),
    extension: true,
  }),
);

export const unlinkNode = withRevision(
  operation({
    id: 'unlinkNode',
    tag,
    summary: 'Unlink an instance',
    description:
      'Turns an instance of a template into ordinary nodes. Configuration, events and data stay; nothing is locked any longer, and changes of the template no longer reach it.',
    withId: true,
    query: ATTR,
    success: json(200, 'The root as it is now.', NODE),
    extension: true,
  }),
);

export const cloneNode = operation({
  id: 'cloneNode',
  tag,
  summary: 'Clone a node',
  description:
    'Copies a node with everything below it (at most 5000 nodes), without records and events. References inside the copied branch point to the copies. A template (a Group or Location directly under the account’s Templates) cloned to a Workspace or Group becomes an instance: it follows every change of its template. Not for TRIAL accounts; a Workspace needs a key for all workspaces.',
  withId: true,
  query: NODE_CLONE,
  body: {
    type: 'object',
    properties: {
      parentId: { type: 'string', description: 'Id or `@customId`; required unless the node is a Workspace.' },
      name: { ...API_SCHEMAS.nodeAttributes.name, description: 'Default: the original’s, made unique.' },
      metadata: {
        allOf: [API_SCHEMAS.nodeAttributes.metadata],
        description: 'Merged by name into that of the new root.',
      },
    },
    examples: [{ parentId: '53eada0ada91110000000046', name: 'Station 8' }],
  },
  success: json(201, 'The new nodes.', { type: 'array', items: NODE }),
});
