import { API_SCHEMAS } from '@catchment/contracts/api-schemas';
import { ALARM_TYPES, ANNOTATION_MAX, EVENT_ALARM_STATES, EVENT_LEVELS, EVENT_TYPES, READING } from '@catchment/query';
import { WEBHOOK_COMPONENTS } from '../events/webhooks-docs.ts';
import { partly } from './attributes.ts';
import { NODE_COMPONENTS } from './node-schemas.ts';
import { objectId, REVISION } from './parts.ts';

/** The shapes of documents, as `components/schemas` of OpenAPI. Clients must accept further attributes. */
const time = { type: 'string', format: 'date-time', examples: ['2024-08-16T02:00:39.000Z'] };
const bound = (description: string) => ({ ...time, type: ['string', 'null'], description });
const string = (description: string, ...examples: string[]) => ({ type: 'string', description, examples });
const { account, accountTypes, apiKey, category, device, group, quality, role, userProfile } = API_SCHEMAS;
const value = { description: 'A number, text, `{"$time": …}` or `{"$coords": [latitude, longitude]}`; null = none.' };

const status = {
  type: 'object',
  required: ['code', 'message'],
  properties: { code: { type: 'integer' }, message: { type: 'string' } },
};

const { codes } = quality.properties;
const { code } = codes.items.properties;
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
/** Parts of a record. */
export const QUALITY = { ...code, type: ['integer', 'null'], description: 'Quality code.' };
export const ANNOTATION = { type: ['string', 'null'], maxLength: ANNOTATION_MAX, description: 'Annotation.' };

/** The records of a JTS document. */
const RECORDS = {
  type: 'array',
  items: {
    type: 'object',
    required: ['ts', 'f'],
    properties: {
      ts: {
        type: ['string', 'integer', 'object'],
        description:
          'Read: ISO 8601 in the zone of the request, or as `timeFormat` says. Written: ISO 8601, `{"$time": …}`, `{"$millis": …}` or Unix milliseconds.',
        examples: ['2024-08-16T02:00:39.000Z'],
      },
      f: {
        type: 'object',
        additionalProperties: {
          type: ['object', 'null'],
          properties: {
            v: value,
            q: QUALITY,
            a: ANNOTATION,
          },
        },
      },
    },
  },
} as const;

const WHOLE: readonly { readonly $id: string; readonly [keyword: string]: unknown }[] = [
  {
    $id: 'Error',
    type: 'object',
    description: 'A failure.',
    required: ['error'],
    properties: {
      error: {
        type: 'object',
        required: ['code', 'message'],
        properties: {
          code: { type: 'integer', description: 'The HTTP status.' },
          message: { type: 'string', description: 'For people: names the argument or attribute and the rule.' },
          reason: { type: 'string', description: 'A stable word for programs.', 'x-extension': true },
          revision: { type: 'integer', description: 'Of 412: the present one.', 'x-extension': true },
        },
      },
    },
    examples: [
      { error: { code: 400, message: 'limit: must be a whole number from 0 to 50000', reason: 'INVALID_ARGUMENT' } },
    ],
  },
  {
    $id: 'Status',
    type: 'object',
    description: 'What was done or accepted.',
    required: ['status'],
    properties: {
      status,
    },
    examples: [{ status: { code: 202, message: 'Operation accepted but not yet complete' } }],
  },
  {
    $id: 'Written',
    type: 'object',
    required: ['status'],
    properties: {
      status,
      write: {
        type: 'string',
        description:
          'Names the write to `GET /writes/:id`. It says nothing else, and may be asked by the account alone.',
        'x-extension': true,
      },
    },
    examples: [{ status: { code: 202, message: 'Operation accepted but not yet complete' }, write: 'Mm9…' }],
  },
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
  ...NODE_COMPONENTS,
  {
    $id: 'Jts',
    type: 'object',
    description: 'JSON time series: columns by index, rows by time.',
    required: ['docType', 'data'],
    properties: {
      docType: { const: 'jts' },
      version: { type: 'string', examples: ['1.0'] },
      header: {
        type: 'object',
        properties: {
          startTime: bound(
            'Of a read: as it was asked for, else the time of the first record; null when there is none.',
          ),
          endTime: bound('Of a read: as it was asked for, else the time of the last record; null when there is none.'),
          recordCount: { type: 'integer' },
          next: string(
            'Of a read with `timeQuery=MODIFIED` and a limit: the argument `after` of the request that goes on. Absent where there is nothing more.',
          ),
          columns: {
            type: 'object',
            additionalProperties: {
              type: 'object',
              properties: {
                id: string('Parameter, or on a write `@customId`.'),
                series: string('Key of a column on a data source, used when there is no id.', 'air_temp'),
                name: string('Name of the parameter.', 'Air temperature'),
                dataType: { type: 'string', enum: ['NUMBER', 'TEXT', 'TIME', 'COORDINATES'] },
                units: string('Unit.', '°C'),
                renderType: { ...READING.renderType.schema, description: 'Of a read.' },
                format: string('Of a read: how numbers are shown.', '0.00'),
                aggregate: string('Of a read.', 'AVERAGE'),
                percentile: { type: 'number', description: 'Of a read.' },
                baseTime: string('Of a read with intervals.', 'D'),
                interval: string('Of a read with intervals.', '1H'),
                baselineType: string('Of a read.', 'RELATIVE'),
              },
            },
          },
        },
      },
      data: RECORDS,
      was: {
        ...RECORDS,
        description:
          'Of a write with `writeMode=MERGE_UPDATE_EXISTING` to one node: the records that its writer has read at the times of `data`, as it has read them. Where others are stored by now, nothing is written: 412.',
        'x-extension': true,
      },
    },
    examples: [
      {
        docType: 'jts',
        version: '1.0',
        header: { columns: { 0: { series: 'air_temp', name: 'Air temperature', units: '°C' } } },
        data: [{ ts: '2024-08-16T02:00:39.000Z', f: { 0: { v: 28.2, q: 100 } } }],
      },
    ],
  },
  {
    $id: 'Device',
    type: 'object',
    description: 'A modem or other device that connects.',
    required: ['_class', '_id', 'deviceKey', 'isConnected', 'createdTime', 'software'],
    properties: {
      _class: { type: 'string', enum: device.classes },
      _id: objectId,
      deviceKey: string('IMEI or generated number.', '356938035643809'),
      workspaceId: objectId,
      datasourceId: objectId,
      isConnected: { type: 'boolean' },
      lastConnected: time,
      createdTime: time,
      phoneNumber: { type: ['string', 'null'], examples: ['+4512345678'] },
      software: device.software,
      config: { ...(partly(device.config) as object), description: 'ScoutDevice only.' },
      isOutOfDate: {
        type: 'boolean',
        description: 'The modem has not confirmed the newest configuration. ScoutDevice only.',
      },
      secret: {
        type: 'string',
        description:
          'There when the device has one: `********`, except in the one answer that shows a generated secret (POST /devices).',
      },
    },
  },
  {
    $id: 'Event',
    type: 'object',
    description: 'What happened to a node or in the account.',
    required: ['_class', '_id', 'level', 'eventTime', 'eventType', 'message', 'ownerId'],
    properties: {
      _class: string('Kind of event.', 'io.svc.models.event.Event'),
      _id: objectId,
      level: { type: 'string', enum: EVENT_LEVELS },
      eventTime: time,
      eventType: { type: 'string', enum: EVENT_TYPES },
      message: string('What happened.', 'State changed from NORMAL to HIGH'),
      alarmState: { type: 'string', enum: EVENT_ALARM_STATES },
      nodeId: objectId,
      nodeType: string('Class of the node.'),
      workspaceId: objectId,
      ownerId: objectId,
      username: string('Who caused it.', 'jo@example.org'),
      alarmType: {
        type: 'string',
        enum: ALARM_TYPES,
        description: 'The alarm that it is about. Only where `attr` names it.',
      },
      alarmEndTime: {
        ...time,
        description:
          'Of an event that raises an alarm: when it was cleared or raised anew; absent while it lasts. Only where `attr` names it.',
      },
    },
  },
  ...WEBHOOK_COMPONENTS,
] as const;

/** These are shown in parts too, as `attr` asks; each has a separate schema. */
const SHOWN_IN_PARTS: Readonly<Record<string, string>> = { Owner: 'an account', Device: 'a device', Event: 'an event' };

export const COMPONENTS: readonly object[] = [
  ...WHOLE,
  ...WHOLE.filter(({ $id }) => $id in SHOWN_IN_PARTS).map((schema) => ({
    ...(partly(withParts(schema)) as object),
    $id: `${schema.$id}Part`,
    description: `What \`attr\` asks for of ${SHOWN_IN_PARTS[schema.$id]}.`,
  })),
];

/** The same schema with what it refers to, which may require something. */
function withParts(schema: object): object {
  return JSON.parse(JSON.stringify(schema), (_name, value) => {
    const found = WHOLE.find(({ $id }) => value?.$ref === `${$id}#`);
    if (!found) return value;
    const { $id: _id, ...part } = found;
    return withParts(part);
  });
}
