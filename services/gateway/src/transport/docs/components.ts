import { API_SCHEMAS } from '@catchment/contracts/api-schemas';
import { ANNOTATION_MAX, EVENT_ALARM_STATES, EVENT_LEVELS, EVENT_TYPES } from '@catchment/query';
import { ATTRIBUTES, partly } from './attributes.ts';
import { WEBHOOK_COMPONENTS } from './webhooks.ts';

/** The shapes of documents, as `components/schemas` of OpenAPI. Clients must accept further attributes. */
const time = { type: 'string', format: 'date-time', examples: ['2024-08-16T02:00:39.000Z'] };
const bound = (description: string) => ({ ...time, type: ['string', 'null'], description });
const objectId = { type: 'string', pattern: '^[0-9a-f]{24}$', examples: ['53eada0ada91110000000046'] };
const string = (description: string, ...examples: string[]) => ({ type: 'string', description, examples });
const { account, accountTypes, apiKey, category, device, group, nodeClasses, quality, role, userProfile } = API_SCHEMAS;
const value = { description: 'A number, text, `{"$time": …}` or `{"$coords": [latitude, longitude]}`; null = none.' };

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
const edges = Object.fromEntries(
  ['current', 'previous', 'oldest'].flatMap((edge) => [
    [`${edge}Value`, value],
    [`${edge}Time`, time],
    [`${edge}Quality`, code],
    [`${edge}StateId`, objectId],
  ]),
);
/** Parts of a record. */
export const QUALITY = { ...code, type: ['integer', 'null'], description: 'Quality code.' };
export const ANNOTATION = { type: ['string', 'null'], maxLength: ANNOTATION_MAX, description: 'Annotation.' };
const count = { type: 'integer', minimum: 0 };
const sourceStatus = {
  currentStatus: { type: 'string', description: 'Sources: what it does. Read-only.' },
  lastCommsAttempt: time,
  lastCommsSuccess: time,
  totalCommsAttempt: count,
  totalCommsSuccess: count,
  lastAcquireRecordCount: count,
  model: string('Sources: of the logger, read in each session. Read-only.', 'CR1000'),
  firmwareVersion: string('Sources: as `model`.', 'CR1000.Std.32.05'),
  progName: string('Sources: the program that the logger runs, as `model`.', 'CPU:weir.cr1'),
};

export const COMPONENTS = [
  {
    $id: 'Error',
    type: 'object',
    required: ['error'],
    properties: {
      error: {
        type: 'object',
        required: ['code', 'message'],
        properties: {
          code: { type: 'integer', description: 'The HTTP status.' },
          message: { type: 'string', description: 'For people: names the argument or attribute and the rule.' },
          reason: { type: 'string', description: 'A stable word for programs.', 'x-extension': true },
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
    required: ['status'],
    properties: {
      status: {
        type: 'object',
        required: ['code', 'message'],
        properties: { code: { type: 'integer' }, message: { type: 'string' } },
      },
    },
    examples: [{ status: { code: 202, message: 'Operation accepted but not yet complete' } }],
  },
  {
    $id: 'Written',
    type: 'object',
    required: ['status'],
    properties: {
      status: {
        type: 'object',
        required: ['code', 'message'],
        properties: { code: { type: 'integer' }, message: { type: 'string' } },
      },
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
    properties: {
      _id: objectId,
      ...group,
      users: { type: 'array', items: { $ref: 'UserEntry#' } },
    },
  },
  {
    $id: 'Category',
    type: 'object',
    properties: {
      _id: objectId,
      ...category,
      index: { ...category.index, description: 'Position in the list.' },
    },
  },
  {
    $id: 'Role',
    type: 'object',
    properties: {
      _id: objectId,
      ...role,
      permissions: { ...role.permissions, examples: [['VIEW', 'ACKNOWLEDGE_ALARMS']] },
    },
  },
  {
    $id: 'Quality',
    type: 'object',
    description:
      'Which types of records reads leave out that do not ask otherwise (`excluded`), the types of records without a quality (`unspecified`) and of codes that are not in the table (`unknown`), and the table.',
    properties: { ...(partly(quality.properties) as object), codes: partly(SHOWN_CODES) as object },
  },
  {
    $id: 'ApiKey',
    type: 'object',
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
    },
  },
  {
    $id: 'Owner',
    type: 'object',
    additionalProperties: true,
    description: 'An account. `administrators` and `groups` are shown to keys of level ACCOUNT only.',
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
    },
  },
  {
    $id: 'Usage',
    type: 'object',
    additionalProperties: true,
    properties: {
      rates: { type: 'object', additionalProperties: true },
      total: { type: 'object', additionalProperties: true },
      accounts: {
        type: 'array',
        items: {
          type: 'object',
          additionalProperties: true,
          properties: {
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
    additionalProperties: true,
    properties: {
      _class: string('Always this.', 'io.svc.models.user.User'),
      _id: objectId,
      contact: { type: 'object', properties: { email: { type: 'string' }, phone: { type: 'string' } } },
      createdTime: time,
      name: { type: 'object', properties: { first: { type: 'string' }, last: { type: 'string' } } },
      timeFormat: { type: 'string' },
      timezone: { type: 'string' },
    },
  },
  {
    $id: 'NodeAttributes',
    type: 'object',
    additionalProperties: true,
    description:
      'What a body may set. `x-classes` names the classes of nodes that have an attribute, without their prefix; all have the others. Words may be given in any letter case; null resets to the default.',
    properties: ATTRIBUTES,
  },
  {
    $id: 'NodeCreation',
    type: 'object',
    required: ['_class', 'name'],
    additionalProperties: true,
    allOf: [{ $ref: 'NodeAttributes#' }],
    properties: {
      _class: { type: 'string', enum: nodeClasses.filter((one) => !one.endsWith('.Attachment')) },
      parentId: { type: 'string', description: 'Id or `@customId`; absent on a Workspace.' },
    },
  },
  {
    $id: 'Node',
    type: 'object',
    description: 'A node of the tree. Which attributes it has depends on its class.',
    additionalProperties: true,
    properties: {
      ...(partly(ATTRIBUTES) as object),
      _class: { type: 'string', enum: nodeClasses, description: 'Kind of node, with the installation’s prefix.' },
      _id: objectId,
      ownerId: objectId,
      parentId: objectId,
      workspaceId: objectId,
      templateId: { ...objectId, description: 'Root of an instance: the template that it follows.' },
      templateNodeId: { ...objectId, description: 'Node of an instance: the node of the template that it follows.' },
      fileName: { type: 'string', description: 'Attachment: as it was uploaded. Read-only.', 'x-extension': true },
      fileSize: { type: 'integer', description: 'Attachment: bytes. Read-only.' },
      fileUrl: {
        type: 'string',
        description: 'Attachment: a signed link that needs no key; see `expiry`. Only with ATTACHMENT_READ.',
      },
      filePreviewUrl: {
        type: 'string',
        description: 'Attachment that is a picture or a PDF: the same for a JPEG of at most 480 px.',
      },
      mimeType: string('Attachment: of its bytes, then of its name. Read-only.', 'image/png'),
      currentAttachmentId: { ...objectId, description: 'Attachment source: the newest attachment.' },
      publicId: string(
        'Names the public page, once there is one. Read-only, but null makes a new one.',
        'q8d2k0v7w3m1x5z',
      ),
      createdTime: time,
      isActive: { type: 'boolean' },
      ...edges,
      rawValue: { type: 'number', description: 'The current value before multiplier and offset, or the equation.' },
      updatedTime: time,
      ...sourceStatus,
      children: { type: 'array', items: { $ref: 'Node#' }, description: 'With `type=TREE`.' },
      warnings: {
        type: 'array',
        description:
          'Answers of changes alone: what a rename, a move or a change of a template has broken elsewhere. Absent where nothing is.',
        'x-extension': true,
        items: {
          type: 'object',
          required: ['message'],
          properties: {
            nodeId: { ...objectId, description: 'The node that no longer works as before.' },
            path: string('Its names from the Workspace down.', 'Coast/Pier/Logger/Level above datum'),
            message: string('What is broken.', "the program's path '../Logger/Level' leads to no node any more"),
          },
        },
      },
    },
  },
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
              additionalProperties: true,
              properties: {
                id: string('Parameter, or on a write `@customId`.'),
                series: string('Key of a column on a data source, used when there is no id.', 'air_temp'),
                name: string('Name of the parameter.', 'Air temperature'),
                dataType: { type: 'string', enum: ['NUMBER', 'TEXT', 'TIME', 'COORDINATES'] },
                units: string('Unit.', '°C'),
              },
            },
          },
        },
      },
      data: {
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
    additionalProperties: true,
    properties: {
      _class: string('Kind of device.', 'io.svc.models.device.ScoutDevice'),
      _id: objectId,
      deviceKey: string('IMEI or generated number.', '356938035643809'),
      workspaceId: objectId,
      datasourceId: objectId,
      isConnected: { type: 'boolean' },
      lastConnected: time,
      createdTime: time,
      phoneNumber: { type: ['string', 'null'], examples: ['+4512345678'] },
      software: { type: 'object', additionalProperties: true },
      config: { ...device.config, description: 'ScoutDevice only.' },
      isOutOfDate: {
        type: 'boolean',
        description: 'The modem has not confirmed the newest configuration. ScoutDevice only.',
      },
      secret: {
        type: 'string',
        description:
          'There when the device has one: `********`, but for the one answer that tells a secret that was made (POST /devices).',
      },
    },
  },
  {
    $id: 'Event',
    type: 'object',
    additionalProperties: true,
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
    },
  },
  ...WEBHOOK_COMPONENTS,
] as const;
