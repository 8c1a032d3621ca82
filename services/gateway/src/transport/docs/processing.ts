import { API_SCHEMAS } from '@catchment/contracts/api-schemas';
import { ACCEPTED, json, operation } from './parts.ts';

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
    required: ['startTime', 'endTime'],
    additionalProperties: false,
    properties: {
      ...PROGRAM,
      code: { ...PROGRAM.code, description: 'What is absent is as it is saved.' },
      startTime: { ...TIME, description: 'Of the first time to be evaluated.' },
      endTime: { ...TIME, description: 'Of the last time to be evaluated.' },
      limit: { type: 'integer', minimum: 1, maximum: 10_000, default: 1_000, description: 'Runs at most.' },
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
        console: list({ ts: TIME, text: { type: 'string' } }, 'What `console.log` was given.'),
        runs: { type: 'integer' },
        failed: { type: 'integer', description: 'Runs without a result, for a reason that `errors` tells.' },
        elapsedMs: { type: 'number', description: 'Processor time of all runs.' },
        isComplete: { type: 'boolean', description: 'Whether all times of the range were evaluated.' },
      },
    },
    {
      records: [{ ts: '2024-03-01T00:00:00.000Z', value: 2.5, quality: 192 }],
      errors: [{ ts: '2024-03-01T00:10:00.000Z', message: 'level is not defined', line: 1 }],
      console: [],
      runs: 2,
      failed: 1,
      elapsedMs: 0.4,
      isComplete: true,
    },
  ),
  extension: true,
});

export const acquire = operation({
  id: 'acquire',
  tag,
  summary: 'Acquire now',
  description:
    'A source whose transport can be asked is acquired as soon as possible; one that is busy is joined. A processor runs once. The process parameters of a data source are computed anew over all records of their inputs. Needs MODIFY and CONTROL. 400 for other sources, for those that are disabled or used by a remote client, and where the device of a TcpCallback is not connected.',
  withId: true,
  success: ACCEPTED,
});
