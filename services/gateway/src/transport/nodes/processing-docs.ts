import { API_SCHEMAS } from '@catchment/contracts/api-schemas';
import { ACCEPTED, json, operation } from '../openapi/parts.ts';

/** Runs of a test. */
const RUNS = { type: 'integer', minimum: 1, maximum: 10_000 } as const;

const tag = 'Processing';
const TIME = { type: 'string', format: 'date-time' };
const VALUE = { type: ['number', 'string', 'boolean', 'null'] };
const PROGRAM = API_SCHEMAS.nodeParts.ProcessorSourceProcessInput.properties;
const list = (properties: Record<string, object>, description: string) => ({
  type: 'array',
  description,
  items: { type: 'object', properties },
});

export const testProgram = operation({
  id: 'testProgram',
  tag,
  summary: 'Try a program out',
  description:
    'Runs the program of a process parameter or processor, or one that is sent, over recorded data and writes nothing. It reads what the caller may see. Masked keys of AUTH stand for those of the saved program. Needs MODIFY and CONFIGURE. At most 10 000 runs and 10 s; a program that is none is 400.',
  withId: true,
  body: {
    type: 'object',
    required: ['endTime'],
    additionalProperties: false,
    properties: {
      ...PROGRAM,
      code: { ...PROGRAM.code, description: 'What is absent is as it is saved.' },
      sharedCode: { ...PROGRAM.code, description: 'In place of that of the Workspace.' },
      startTime: { ...TIME, description: 'Of the first time to be evaluated; this or `last` must be given.' },
      last: {
        ...RUNS,
        description:
          'In place of `startTime`: from the record of the first input on that is so many before the end, or as many ticks of a schedule.',
      },
      endTime: { ...TIME, description: 'Of the last time to be evaluated.' },
      limit: {
        ...RUNS,
        default: 1_000,
        description: 'Runs at most; with `last` as many as that.',
      },
      withInputs: {
        type: 'boolean',
        default: false,
        description: 'Answers the values of the inputs at the first 1 000 times.',
      },
    },
    examples: [
      {
        code: "return NUMBER('Level') * 2;",
        startTime: '2024-03-01T00:00:00Z',
        endTime: '2024-03-02T00:00:00Z',
      },
    ],
  },
  success: json(
    200,
    'What it made.',
    {
      type: 'object',
      properties: {
        records: list(
          {
            ts: TIME,
            output: { type: 'string', description: 'Of a processor.' },
            value: VALUE,
            quality: { type: 'integer' },
          },
          'In the order of the runs.',
        ),
        errors: list({ ts: TIME, message: { type: 'string' }, line: { type: 'integer' } }, 'The first ones.'),
        console: list(
          { ts: TIME, text: { type: 'string' }, line: { type: 'integer' } },
          'What `console.log` was given, with its line of the program where that is known.',
        ),
        inputs: list(
          {
            _id: { type: 'string' },
            name: { type: 'string' },
            path: { type: 'string', description: 'As the program names it first.' },
            line: { type: 'integer', description: 'Where it does.' },
            values: { type: 'array', items: VALUE, description: 'At `times`, with `withInputs`.' },
          },
          'What the program reads, the first input first.',
        ),
        outputs: list(
          {
            _id: { type: ['string', 'null'], description: 'Null: it is made when the program is saved.' },
            name: { type: 'string' },
          },
          'What the program writes.',
        ),
        times: { type: 'array', items: TIME, description: 'Of the runs, with `withInputs`.' },
        runs: { type: 'integer' },
        failed: { type: 'integer', description: 'Runs without a result, for a reason that `errors` names.' },
        elapsedMs: { type: 'number', description: 'Processor time of all runs.' },
        isComplete: { type: 'boolean', description: 'Whether all times of the range were evaluated.' },
      },
    },
    {
      records: [{ ts: '2024-03-01T00:00:00.000Z', value: 2.5, quality: 192 }],
      errors: [{ ts: '2024-03-01T00:10:00.000Z', message: 'level is not defined', line: 1 }],
      console: [],
      inputs: [{ _id: '5e1b6a2f8c3d4e5f60718293', name: 'Level', path: 'Level', line: 1 }],
      outputs: [{ _id: '5e1b6a2f8c3d4e5f60718294', name: 'Twice' }],
      runs: 2,
      failed: 1,
      elapsedMs: 0.4,
      isComplete: true,
    },
  ),
  extension: true,
});

const ID = { type: 'string' };
const whole = (properties: Record<string, object>) => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
});
const STATE = {
  enum: ['NONE', 'CHECKING', 'REFUSED', 'DISABLED', 'SUSPENDED', 'COMPUTING', 'FAILING', 'RUNNING'],
  description: 'How the program stands; NONE: there is none.',
};
const STANDING = {
  state: STATE,
  message: { type: ['string', 'null'], description: 'Why it is refused, or what its last failed run says.' },
  suspendedUntil: {
    ...TIME,
    type: ['string', 'null'],
    description: 'Input that comes from then on is evaluated again.',
  },
};
const NODE = { _id: ID, name: { type: 'string' }, path: { type: 'string' } };

export const getComputation = operation({
  id: 'getComputation',
  tag,
  summary: 'How a series is computed',
  description:
    'Of a process parameter, processor or rating: what it is computed from and how that goes. Of any node: what is computed from it, through programs and ratings, the nearest first; of a Workspace its programs, those that are suspended or fail first. Nodes that the caller does not see are left out.',
  withId: true,
  success: json(
    200,
    'How its program stands, and what would be computed anew.',
    whole({
      ...STANDING,
      failuresInRow: { type: 'integer', minimum: 0 },
      evaluatedUntil: { ...TIME, type: ['string', 'null'] },
      computedRecords: { type: 'integer', minimum: 0, description: 'While it is computed anew: so far.' },
      inputs: { type: 'array', items: whole(NODE), description: 'The first input first.' },
      outputs: { type: 'array', items: whole(NODE) },
      followers: {
        type: 'array',
        items: whole({ ...NODE, kind: { enum: ['PROGRAM', 'RATING'] }, ...STANDING }),
        description: 'At most 200.',
      },
      hasMore: { type: 'boolean', description: 'There are more followers.' },
    }),
    {
      state: 'SUSPENDED',
      message: 'level is not defined (line 1)',
      suspendedUntil: '2024-03-01T13:00:00.000Z',
      failuresInRow: 0,
      evaluatedUntil: '2024-03-01T12:10:00.000Z',
      computedRecords: 0,
      inputs: [{ _id: '5e1b6a2f8c3d4e5f60718293', name: 'Level', path: 'hydro/Rivers/Bridge/Logger/Level' }],
      outputs: [{ _id: '5e1b6a2f8c3d4e5f60718294', name: 'Twice', path: 'hydro/Rivers/Bridge/Logger/Twice' }],
      followers: [],
      hasMore: false,
    },
  ),
  extension: true,
});

export const acquire = operation({
  id: 'acquire',
  tag,
  summary: 'Acquire now',
  description:
    'A source whose transport can be asked is acquired as soon as possible; one that is busy is joined. A processor runs once. The process parameters of a data source, or the one that is named, are computed anew over all records of their inputs. Needs MODIFY and CONTROL. 400 for other sources, for those that are disabled or used by a remote client, and where the device of a TcpCallback is not connected.',
  withId: true,
  success: ACCEPTED,
});
