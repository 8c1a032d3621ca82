import { API_SCHEMAS } from '@catchment/contracts/api-schemas';
import { ATTR, OWNER_NOTIFY, OWNER_UPDATE } from '@catchment/query';
import { json, operation, UNCHANGED, wholeOrPart, withRevision } from '../openapi/parts.ts';

const tag = 'Account';
const OWNER = wholeOrPart('Owner');
const GROUP = { $ref: 'UserGroup#' };
const GROUP_ID = "The 24 hex characters of the group's `_id`.";
const OWN_KEYS = 'For people who are signed in; 403 with an API key. Of the account that the request is for.';
const DONE = json(200, 'Deleted.', { $ref: 'Status#' }, { status: { code: 200, message: 'Success' } });

export const getOwner = operation({
  id: 'getOwner',
  tag,
  summary: 'Get the account',
  description: 'People (`administrators`, `groups`) are shown to keys of level ACCOUNT only.',
  query: ATTR,
  success: json(200, 'The account.', OWNER),
  others: UNCHANGED,
});

export const updateOwner = withRevision(
  operation({
    id: 'updateOwner',
    tag,
    summary: 'Update the account',
    description:
      'Needs MODIFY and ACCOUNT. Only what is sent changes. `administrators` replaces the list. In `groups`, `_id` or else `name` selects a group, others are new, and groups that are not sent are deleted. People who are new to the account get a profile in it, and their entry carries `profileActivateUrl`, this once: the page behind it sets a password for this account, works once and for 7 days. Whom other accounts know by the same e-mail gets a mail and may accept instead; until then nothing of theirs is shown.',
    query: OWNER_UPDATE,
    body: {
      type: 'object',
      properties: {
        ...API_SCHEMAS.account,
        administrators: { type: 'array', items: { $ref: 'UserEntry#' } },
        groups: { type: 'array', items: GROUP },
      },
      examples: [{ administrators: [{ user: 'jo@example.org', name: { first: 'Jo', last: 'Lee' } }] }],
    },
    success: json(200, 'The account as it is now.', OWNER),
  }),
);

export const createGroups = operation({
  id: 'createGroups',
  tag,
  summary: 'Add groups',
  description: 'Needs MODIFY and ACCOUNT.',
  query: OWNER_NOTIFY,
  body: { type: 'array', items: GROUP, examples: [[{ name: 'Field crew', users: [{ user: 'jo@example.org' }] }]] },
  success: json(201, 'All groups of the account.', { type: 'array', items: GROUP }),
});

export const updateGroup = withRevision(
  operation({
    id: 'updateGroup',
    tag,
    summary: 'Update a group',
    description: 'Needs MODIFY and ACCOUNT. `users` replaces the list.',
    query: OWNER_NOTIFY,
    withId: GROUP_ID,
    body: GROUP,
    success: json(200, 'The group as it is now.', GROUP),
  }),
);

export const deleteGroup = withRevision(
  operation({
    id: 'deleteGroup',
    tag,
    summary: 'Delete a group',
    description: 'Needs MODIFY and ACCOUNT.',
    query: OWNER_NOTIFY,
    withId: GROUP_ID,
    success: DONE,
  }),
);

export const getUsage = operation({
  id: 'getUsage',
  tag,
  summary: 'Get the usage of the account',
  description: 'Needs ACCOUNT; not for keys of managed accounts.',
  success: json(200, 'Rated sources and messages of the account and those that it manages.', { $ref: 'Usage#' }),
});

export const getUsageOfNodes = operation({
  id: 'getUsageOfNodes',
  tag,
  summary: 'Get which Workspaces and sources take most',
  description:
    'Needs ACCOUNT. At most 1000 Workspaces, by name, and the 50 sources with the most parameters and files.',
  success: json(200, 'Usage of Workspaces and sources.', { $ref: 'UsageOfNodes#' }),
  extension: true,
});

export const getLimits = operation({
  id: 'getLimits',
  tag,
  summary: 'Get the limits of the account, and how long its data are kept',
  description: 'Needs ACCOUNT. The operator of the installation sets them.',
  success: json(200, 'The limits, and what of them is used.', { $ref: 'AccountLimits#' }),
  extension: true,
});

export const getCategoryUses = operation({
  id: 'getCategoryUses',
  tag,
  summary: 'Get what uses a notification category',
  description: 'Needs ACCOUNT. States and alarms that use it notify nobody once it is deleted.',
  withId: "The 24 hex characters of the category's `_id`.",
  success: json(200, 'What uses it.', { $ref: 'CategoryUses#' }),
  extension: true,
});

const QUALITY = { $ref: 'Quality#' };

export const getQuality = operation({
  id: 'getQuality',
  tag,
  summary: 'Get how quality codes count',
  success: json(200, 'The settings.', QUALITY),
  extension: true,
});

export const updateQuality = withRevision(
  operation({
    id: 'updateQuality',
    tag,
    summary: 'Set how quality codes count',
    description:
      'Needs MODIFY and ACCOUNT. Only what is sent changes; null resets; `codes` replaces the table. Entries of the platform itself (`isSystem`) are recognised by their names and stay: they may get another `code` and `color`.',
    body: { ...API_SCHEMAS.quality, examples: [{ excluded: ['BAD'] }] },
    success: json(200, 'The settings as they are now.', QUALITY),
    extension: true,
  }),
);

export const getProfile = operation({
  id: 'getProfile',
  tag: 'Account',
  summary: "Get the profile of the key's user",
  success: json(200, 'The profile.', { $ref: 'Profile#' }),
  extension: true,
});

export const updateProfile = operation({
  id: 'updateProfile',
  tag: 'People',
  summary: 'Change one’s own profile',
  description:
    'For people who are signed in; 403 with an API key. Only what is sent changes; null is as if it had never been given. The profile is that of all accounts of the person.',
  body: {
    ...API_SCHEMAS.userProfile,
    examples: [{ name: { first: 'Jo', last: 'Lee' }, timezone: 'Pacific/Auckland' }],
  },
  success: json(200, 'The profile as it is now.', { $ref: 'Profile#' }),
  extension: true,
  security: [{ session: [] }],
});

export const listOwnKeys = operation({
  id: 'listOwnKeys',
  tag: 'People',
  summary: 'List one’s own API keys',
  description: `${OWN_KEYS} Keys that others have made for the person are among them.`,
  success: json(200, 'In the order in which they were made.', { type: 'array', items: { $ref: 'ApiKey#' } }),
  extension: true,
  security: [{ session: [] }],
});

export const createOwnKey = operation({
  id: 'createOwnKey',
  tag: 'People',
  summary: 'Make an API key of one’s own',
  description: `${OWN_KEYS} It never does more than the person may do. The whole key is shown once, by this answer. A person has at most 50 in an account.`,
  body: {
    allOf: [{ $ref: 'ApiKey#' }],
    examples: [{ label: 'Field laptop', permission: 'MODIFY', accessLevel: 'WORKSPACES' }],
  },
  success: json(201, 'The new key.', { $ref: 'ApiKey#' }),
  extension: true,
  security: [{ session: [] }],
});

export const deleteOwnKey = operation({
  id: 'deleteOwnKey',
  tag: 'People',
  summary: 'Delete an API key of one’s own',
  description: `${OWN_KEYS} It stops working within 5 seconds. 404: there is none, or it is somebody else's.`,
  withId: 'The 24 hex characters of its `_id`.',
  success: DONE,
  extension: true,
  security: [{ session: [] }],
});

const COLLECTIONS = {
  categories: {
    singular: 'category',
    many: 'notification categories',
    schema: 'Category#',
    ids: ['listCategories', 'getCategory', 'createCategory', 'updateCategory', 'deleteCategory'],
    rule: 'Names are unique, letter case aside. A deleted category is taken out of states and alarms; the last one stays.',
    example: { name: 'Flood', index: 0 },
    read: '',
  },
  roles: {
    singular: 'role',
    many: 'roles',
    schema: 'Role#',
    ids: ['listRoles', 'getRole', 'createRole', 'updateRole', 'deleteRole'],
    rule: 'Names are unique, letter case aside. VIEW is always among the permissions.',
    example: { name: 'Night watch', permissions: ['ACKNOWLEDGE_ALARMS'] },
    read: '',
  },
  apikeys: {
    singular: 'API key',
    many: 'API keys',
    schema: 'ApiKey#',
    ids: ['listApiKeys', 'getApiKey', 'createApiKey', 'updateApiKey', 'deleteApiKey'],
    rule: 'The whole key is shown once, by its creation; READ_ONLY for all workspaces unless asked otherwise. A deleted key stops working within 5 seconds.',
    example: { label: 'Field laptop', permission: 'MODIFY', accessLevel: 'WORKSPACES' },
    read: 'Needs MODIFY and ACCOUNT.',
  },
} as const;
export type CollectionName = keyof typeof COLLECTIONS;

/** Describes the five operations of a collection of the account. */
export function collection(name: CollectionName) {
  const { singular, many, schema, ids, rule, example, read } = COLLECTIONS[name];
  const document = { $ref: schema };
  const body = { allOf: [document], examples: [example] };
  const withId = `The 24 hex characters of its \`_id\`.`;
  const common = { tag, extension: true };
  const change = { description: `Needs MODIFY and ACCOUNT. ${rule}` };
  const reading = read === '' ? {} : { description: read };
  return {
    list: operation({
      ...common,
      ...reading,
      id: ids[0],
      summary: `List ${many}`,
      success: json(200, 'In order.', { type: 'array', items: document }),
    }),
    get: operation({
      ...common,
      ...reading,
      id: ids[1],
      withId,
      summary: `Get one of the ${many}`,
      success: json(200, `The ${singular}.`, document),
    }),
    create: operation({
      ...common,
      ...change,
      id: ids[2],
      body,
      summary: `Add one of the ${many}`,
      success: json(201, `The new ${singular}.`, document),
    }),
    update: withRevision(
      operation({
        ...common,
        ...change,
        id: ids[3],
        withId,
        body,
        summary: `Update one of the ${many}`,
        success: json(200, `The ${singular} as it is now.`, document),
      }),
    ),
    remove: withRevision(
      operation({
        ...common,
        ...change,
        id: ids[4],
        withId,
        summary: `Delete one of the ${many}`,
        success: DONE,
      }),
    ),
  };
}
