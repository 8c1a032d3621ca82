import { API_SCHEMAS } from '@catchment/contracts/api-schemas';
import { partly } from '../openapi/attributes.ts';
import { objectId, REVISION } from '../openapi/parts.ts';
import { type Component, string, time } from '../openapi/schema-parts.ts';

const { account, accountTypes, apiKey, category, group, quality, role, userProfile } = API_SCHEMAS;

const { codes } = quality.properties;
const SHOWN_CODES = {
  ...codes,
  items: {
    ...codes.items,
    properties: {
      ...codes.items.properties,
      isSystem: { type: 'boolean', description: 'Of the platform itself. Read-only.' },
    },
  },
};
const amount = { type: 'number', minimum: 0 };
const RATED = {
  type: 'object',
  properties: {
    attachmentsource: amount,
    datasource: { type: 'object', properties: { small: amount, medium: amount, large: amount } },
    sms: amount,
  },
};
const TOTAL = { type: 'object', properties: { usage: amount, usageLimit: { type: ['number', 'null'] } } };
const USE_OF_NODE = {
  _id: objectId,
  name: { type: 'string' },
  parameters: { type: 'integer', minimum: 0, description: 'Active ones of its rated sources.' },
  usage: { ...amount, description: 'As `GET /owners/account/usage` rates sources.' },
  attachmentBytes: { type: 'integer', minimum: 0, description: 'Each attachment that shares a file counts it.' },
};

/** Schemas describe an account, its people and what it uses. */
export const ACCOUNT_COMPONENTS: readonly Component[] = [
  {
    $id: 'UserEntry',
    type: 'object',
    required: ['user'],
    description:
      'Everything but `user` counts only when the e-mail has no profile yet. Answers have `name` and the last two attributes.',
    properties: {
      user: string('E-mail address, any letter case.', 'jo@example.org'),
      ...userProfile.properties,
      lastLoginTime: { ...time, description: 'Output only.' },
      profileActivateUrl: {
        type: 'string',
        description: 'Output only: in the answer of the request that made the profile.',
      },
    },
  },
  {
    $id: 'UserGroup',
    type: 'object',
    description: 'A group of people of the account.',
    properties: {
      _id: objectId,
      ...group,
      users: { type: 'array', items: { $ref: 'UserEntry#' } },
      revision: REVISION,
    },
  },
  {
    $id: 'Category',
    type: 'object',
    description: 'A category of notifications.',
    properties: {
      _id: objectId,
      ...category,
      index: { ...category.index, description: 'Position in the list.' },
      revision: REVISION,
    },
  },
  {
    $id: 'Role',
    type: 'object',
    description: 'A set of permissions that people and groups are given.',
    properties: {
      _id: objectId,
      ...role,
      permissions: { ...role.permissions, examples: [['VIEW', 'ACKNOWLEDGE_ALARMS']] },
      revision: REVISION,
    },
  },
  {
    $id: 'Quality',
    type: 'object',
    description:
      'Which types of records reads leave out that do not ask otherwise (`excluded`), the types of records without a quality (`unspecified`) and of codes that are not in the table (`unknown`), and the table.',
    properties: { ...(partly(quality.properties) as object), codes: partly(SHOWN_CODES) as object, revision: REVISION },
  },
  {
    $id: 'ApiKey',
    type: 'object',
    description: 'An API key of the account.',
    properties: {
      _id: objectId,
      key: { type: 'string', pattern: '^[A-Za-z0-9]{40}$', description: 'Only in the answer of the creation.' },
      ...apiKey,
      last4: string('The last four characters of the key.', 'x7Qa'),
      workspaceIds: { type: 'array', items: objectId, description: 'LIMITED_WORKSPACES only.' },
      userId: objectId,
      user: {
        type: 'string',
        description:
          'E-mail of the person whose key it is: in a creation the caller unless given; workspace users too, below ACCOUNT.',
      },
      createdTime: time,
      lastUsedTime: { ...time, description: 'Exact to a minute.' },
      revision: REVISION,
    },
  },
  {
    $id: 'Owner',
    type: 'object',
    description: 'An account. `administrators` and `groups` are shown to keys of level ACCOUNT only.',
    required: ['_class', '_id', 'accountName', 'accountType', 'categories', 'createdTime', 'quality', 'slug'],
    properties: {
      _class: string('Always this.', 'io.svc.models.owner.Owner'),
      _id: objectId,
      ...account,
      accountType: { type: 'string', enum: accountTypes },
      categories: { type: 'array', items: { $ref: 'Category#' } },
      createdTime: time,
      quality: { $ref: 'Quality#' },
      slug: string('Begins the full path of every node.', 'riverauthority1'),
      administrators: { type: 'array', items: { $ref: 'UserEntry#' } },
      groups: { type: 'array', items: { $ref: 'UserGroup#' } },
      revision: REVISION,
    },
  },
  {
    $id: 'UsageOfNodes',
    type: 'object',
    description: 'What Workspaces and sources take: sources as they are rated, and files.',
    properties: {
      workspaces: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            ...USE_OF_NODE,
            sources: { type: 'integer', minimum: 0, description: 'Those that are rated: disabled ones are not.' },
          },
        },
      },
      sources: {
        type: 'array',
        description: 'Those with the most parameters first, then those with the most bytes.',
        items: { type: 'object', properties: { ...USE_OF_NODE, workspaceId: objectId } },
      },
    },
  },
  {
    $id: 'AccountLimits',
    type: 'object',
    description: 'What an account may use and has used, and how long its data are kept; null = no limit, or for ever.',
    properties: {
      nodes: {
        type: 'object',
        properties: { count: { type: 'integer', minimum: 0 }, limit: { type: 'integer', minimum: 0 } },
      },
      sources: TOTAL,
      sms: {
        type: 'object',
        properties: {
          isSent: { type: 'boolean', description: 'Whether the installation has a gateway for SMS.' },
          count: {
            type: 'integer',
            minimum: 0,
            description: 'Of this calendar month (UTC), those of managed accounts too.',
          },
          limit: { type: ['integer', 'null'], minimum: 0 },
          months: {
            type: 'array',
            description: 'Months of the last year in which SMS were sent, the oldest first.',
            items: {
              type: 'object',
              properties: {
                month: { type: 'string', pattern: '^\\d{4}-\\d{2}$', examples: ['2024-08'] },
                count: { type: 'integer', minimum: 1 },
              },
            },
          },
        },
      },
      rowsPerSourcePerDay: { type: ['integer', 'null'], minimum: 1 },
      kept: {
        type: 'object',
        properties: {
          recordDays: { type: ['integer', 'null'], minimum: 1, description: 'Days after their own time.' },
          recordsRemovedFrom: {
            type: ['string', 'null'],
            format: 'date-time',
            description: 'While the days are new: nothing is removed by them before this time.',
          },
          eventDays: { type: ['integer', 'null'], minimum: 1, description: 'Days after they were stored.' },
          debugEventDays: { type: 'integer', minimum: 1, description: 'Of the level DEBUG, at most.' },
        },
      },
    },
  },
  {
    $id: 'CategoryUses',
    type: 'object',
    description: 'What uses a notification category.',
    properties: {
      states: { type: 'integer', minimum: 0 },
      alarms: { type: 'integer', minimum: 0 },
      people: { type: 'integer', minimum: 0, description: 'Who has it switched on in any Workspace.' },
      nodeCount: { type: 'integer', minimum: 0, description: 'Nodes with such states and alarms.' },
      nodes: {
        type: 'array',
        description: 'The first 10 of them.',
        items: { type: 'object', properties: { _id: objectId, name: { type: 'string' } } },
      },
    },
  },
  {
    $id: 'Usage',
    type: 'object',
    description: 'Rated sources and messages of this month, of an account and of those that it manages.',
    properties: {
      rates: { ...RATED, description: 'What one counts.' },
      total: { type: 'object', properties: { source: TOTAL, sms: TOTAL } },
      accounts: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            _id: objectId,
            accountName: { type: 'string' },
            accountType: { type: 'string', enum: accountTypes },
            usage: RATED,
            attachmentBytes: {
              type: 'integer',
              description: 'Bytes of files; what copies share counts once.',
              'x-extension': true,
            },
          },
        },
      },
    },
  },
  {
    $id: 'Profile',
    type: 'object',
    description: 'A person.',
    properties: {
      _class: string('Always this.', 'io.svc.models.user.User'),
      _id: objectId,
      contact: { type: 'object', properties: { email: { type: 'string' }, phone: { type: 'string' } } },
      createdTime: time,
      name: { type: 'object', properties: { first: { type: 'string' }, last: { type: 'string' } } },
      timeFormat: { type: 'string' },
      timezone: { type: 'string' },
      timezoneAdjustForDst: { type: 'boolean' },
    },
  },
];
