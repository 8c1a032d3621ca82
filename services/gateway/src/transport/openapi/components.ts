import { DEVICE_COMPONENTS } from '../devices/device-components.ts';
import { EVENT_COMPONENTS } from '../events/event-components.ts';
import { WEBHOOK_COMPONENTS } from '../events/webhooks-docs.ts';
import { ACCOUNT_COMPONENTS } from '../people/account-components.ts';
import { JTS_COMPONENTS } from '../records/jts-components.ts';
import { partly } from './attributes.ts';
import { NODE_COMPONENTS } from './node-schemas.ts';
import type { Component } from './schema-parts.ts';

const status = {
  type: 'object',
  required: ['code', 'message'],
  properties: { code: { type: 'integer' }, message: { type: 'string' } },
};

/** Answers that every part of the API gives. */
const ANSWERS: readonly Component[] = [
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
];

/** OpenAPI has these shapes of documents as `components/schemas`. Clients must accept further attributes. */
const WHOLE: readonly Component[] = [
  ...ANSWERS,
  ...ACCOUNT_COMPONENTS,
  ...NODE_COMPONENTS,
  ...JTS_COMPONENTS,
  ...DEVICE_COMPONENTS,
  ...EVENT_COMPONENTS,
  ...WEBHOOK_COMPONENTS,
];

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

/** Returns the same schema with what it refers to, which may require something. */
function withParts(schema: object): object {
  return JSON.parse(JSON.stringify(schema), (_name, value) => {
    const found = WHOLE.find(({ $id }) => value?.$ref === `${$id}#`);
    if (!found) return value;
    const { $id: _id, ...part } = found;
    return withParts(part);
  });
}
