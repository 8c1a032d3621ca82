import { ALL_ACCOUNTS, DEAD_LETTERS } from '@catchment/query';
import { json, objectId, operation, REVISION, withRevision } from '../openapi/parts.ts';

const tag = 'Operator';
const FOR_OPERATORS =
  'For people who are signed in and named in `OPERATORS`; 404 for everybody else, 403 with an API key.';
const TIME = { type: 'string', format: 'date-time' };
const COUNT = { type: 'integer', minimum: 0 };
const TEXT = { type: 'string' };
const nullable = (what: string) => ({ type: ['number', 'null'], minimum: 0, description: what });
const NO_LIMIT = 'Null: no limit.';
const USUAL = 'Null: as the installation has it; 0: no limit.';

/** Properties that an answer always has, unless `maybe` names them. */
const shaped = (properties: Readonly<Record<string, object>>, maybe: readonly string[] = []) => ({
  type: 'object',
  required: Object.keys(properties).filter((name) => !maybe.includes(name)),
  properties,
});

const NAMES = {
  accountName: TEXT,
  accountType: { type: 'string', enum: ['STANDARD', 'PREMIUM', 'STARTER', 'TRIAL', 'MANAGED'] },
  status: { type: 'string', enum: ['ACTIVE', 'DISABLED'], description: 'DISABLED: every key and session is refused.' },
};
const LIMITS = {
  sourceLimit: nullable(`Rated sources. ${NO_LIMIT}`),
  smsLimit: nullable(`SMS in a calendar month. ${NO_LIMIT}`),
  rowsPerSourcePerDay: nullable(`Rows of a data source in a UTC day. ${USUAL}`),
  recordDays: nullable(`Days that records are kept. ${USUAL}`),
  eventDays: nullable(`Days that events are kept. ${USUAL}`),
};
const ACCOUNT = shaped(
  {
    _id: objectId,
    slug: TEXT,
    ...NAMES,
    parentId: { ...objectId, description: 'The account that manages it.' },
    createdTime: TIME,
    nodes: COUNT,
    sources: { ...COUNT, description: 'Enabled ones, those of templates left out.' },
    sourceUsage: { type: 'number', description: 'Rated, as `sourceLimit` is.' },
    smsCount: { ...COUNT, description: 'This calendar month, UTC.' },
    attachmentBytes: COUNT,
    ...LIMITS,
    revision: REVISION,
  },
  ['parentId'],
);
const LETTER = shaped(
  {
    number: { type: 'integer', minimum: 1 },
    reader: TEXT,
    subject: TEXT,
    time: { ...TIME, description: 'When the message was published.' },
    deadTime: { ...TIME, description: 'When it was put aside.' },
    reason: TEXT,
    bytes: COUNT,
  },
  ['time'],
);
const NEXT = 'Of the next page: the argument `after`. Null: there is none.';
const NUMBER = 'The number of the letter.';

export const listAccounts = operation({
  id: 'listAllAccounts',
  tag,
  summary: 'List all accounts of the installation',
  description: FOR_OPERATORS,
  query: ALL_ACCOUNTS,
  success: json(
    200,
    'By name.',
    shaped({
      accounts: { type: 'array', items: ACCOUNT },
      next: { type: ['string', 'null'], description: NEXT },
    }),
  ),
  extension: true,
  security: [{ session: [] }],
});

export const changeAccount = withRevision(
  operation({
    id: 'changeAnyAccount',
    tag,
    summary: 'Change an account of the installation',
    description: `${FOR_OPERATORS} Only what is sent changes.`,
    withId: "The 24 hex characters of the account's `_id`.",
    body: { type: 'object', properties: { ...NAMES, ...LIMITS }, examples: [{ sourceLimit: 50 }] },
    success: json(200, 'The account as it is now.', shaped({ _id: objectId, slug: TEXT, ...NAMES })),
    extension: true,
    security: [{ session: [] }],
  }),
);

export const getHealth = operation({
  id: 'getHealthOfInstallation',
  tag,
  summary: 'Look at the installation',
  description: `${FOR_OPERATORS} Streams, readers and dead letters in the words of \`catchment doctor\`, which looks at more.`,
  success: json(
    200,
    'As it is now.',
    shaped({
      findings: {
        type: 'array',
        items: shaped(
          {
            about: TEXT,
            level: { type: 'string', enum: ['ok', 'unknown', 'warning', 'problem'] },
            says: TEXT,
            advice: { type: 'string', description: 'What to do next.' },
            kind: { type: 'string', description: 'Which text it is, such as `STREAM_FILLED`: for one of your own.' },
            values: { type: 'object', additionalProperties: TEXT, description: 'What the text of this kind names.' },
          },
          ['advice', 'kind', 'values'],
        ),
      },
      processes: { type: 'array', items: shaped({ service: TEXT, process: TEXT, version: TEXT }) },
      shards: {
        type: 'array',
        items: shaped({
          name: TEXT,
          isUp: { type: 'boolean' },
          isDrained: { type: 'boolean', description: 'It takes no new workspaces.' },
          workspaces: COUNT,
          series: COUNT,
          pending: { ...COUNT, description: 'Messages that its writer has not finished.' },
        }),
      },
      backups: {
        type: 'array',
        description: 'Finished ones, the newest first.',
        items: shaped({ finishedTime: TIME, tookSeconds: COUNT, sizeBytes: COUNT }),
      },
    }),
  ),
  extension: true,
  security: [{ session: [] }],
});

export const listDeadLetters = operation({
  id: 'listDeadLetters',
  tag,
  summary: 'List messages that were put aside',
  description: `${FOR_OPERATORS} Without what they say.`,
  query: DEAD_LETTERS,
  success: json(
    200,
    'The oldest first.',
    shaped({
      letters: { type: 'array', items: LETTER },
      next: { type: ['integer', 'null'], description: NEXT },
    }),
  ),
  extension: true,
  security: [{ session: [] }],
});

export const retryDeadLetter = operation({
  id: 'retryDeadLetter',
  tag,
  summary: 'Try a message again that was put aside',
  description: `${FOR_OPERATORS} It goes to the reader that could not handle it, and fills gaps alone: one that would delete or change what was written since is refused.`,
  withId: NUMBER,
  success: json(
    200,
    'The outcome.',
    shaped(
      {
        outcome: { type: 'string', enum: ['HANDLED', 'WAITING', 'FAILED'] },
        letter: { ...LETTER, description: 'The dead letter that the message is now; with FAILED.' },
      },
      ['letter'],
    ),
  ),
  extension: true,
  security: [{ session: [] }],
});

export const dropDeadLetter = operation({
  id: 'dropDeadLetter',
  tag,
  summary: 'Remove a message for good that was put aside',
  description: FOR_OPERATORS,
  withId: NUMBER,
  success: json(200, 'Removed.', { $ref: 'Status#' }, { status: { code: 200, message: 'Success' } }),
  extension: true,
  security: [{ session: [] }],
});
