import { API_SCHEMAS } from '@catchment/contracts/api-schemas';
import type { ArgumentTable } from '@catchment/query';
import type { FastifySchema } from 'fastify';
import { Type } from 'typebox';
import { KEY_MAX } from '../request/idempotency-key.ts';
import { FAILURES, type Failure } from '../response/failures.ts';

const ID = Type.Object({
  id: Type.String({
    description: 'The 24 hex characters of `_id`, or `@` and the customId.',
    examples: ['53eada0ada91110000000046', '@station-7'],
  }),
});

const idOf = (description: string) => Type.Object({ id: Type.String({ description }) });

const failure = (description: string) => ({
  description,
  content: { 'application/json': { schema: { $ref: 'Error#' } } },
});

/** Every operation may fail in these ways. */
const failures = () =>
  Object.fromEntries(
    Object.entries<Failure>(FAILURES).flatMap(([status, { when, isRare }]) =>
      isRare ? [] : [[status, failure(when)]],
    ),
  );
export const RANGE_FAILURE = { 416: failure(FAILURES[416].when) };
/** The refusal of a write that says what was there (docs/reference/writing.md#was). */
export const RECORDS_FAILURE = {
  412: failure('`was` says something else than what is stored by now. Nothing was written.'),
};
/** The refusal of an entry says what there was (docs/reference/people-and-security.md#granting-and-revoking-access). */
export const ACCESS_FAILURE = {
  412: failure('`was` of an entry says another access than there is by now. Nothing was changed.'),
};
const REVISION_FAILURE = { 412: failure(FAILURES[412].when) };

type Success = { status: 200 | 201 | 202; description: string; content: Record<string, object> };
type Answer = {
  readonly type?: 'null';
  readonly description: string;
  readonly content?: Record<string, object>;
  readonly headers?: Record<string, object> | undefined;
};

/** The generator wants this form of headers, and `null` for an answer without a body. */
const header = (description: string) => ({ type: 'string', description });
const bare = (description: string, headers: Answer['headers']): Answer => ({ type: 'null', description, headers });

/** Answer to a read whose ETag still holds (docs/reference/requests-and-errors.md#conditional-requests). */
export const UNCHANGED: Readonly<Record<string, Answer>> = {
  304: bare('As `If-None-Match` says; without a body.', { ETag: header('Of what the client has.') }),
};
export const SEE_OTHER: Readonly<Record<string, Answer>> = {
  303: bare('To browsers, which sent a form: where to go on.', { Location: header('A page.') }),
};

export const json = (status: Success['status'], description: string, schema: object, example?: unknown): Success => ({
  status,
  description,
  content: { 'application/json': { schema, ...(example === undefined ? {} : { example }) } },
});
/** Nodes, accounts and people have such ids. */
export const objectId = { ...API_SCHEMAS.nodePart._id, examples: ['53eada0ada91110000000046'] };
/** An operation with `attr` answers all of it, or the parts that were asked for. */
export const wholeOrPart = (name: 'Node' | 'Owner' | 'Device' | 'Event') => ({
  anyOf: [{ $ref: `${name}#` }, { $ref: `${name}Part#` }],
});
export const ACCEPTED = json(202, 'Accepted: safe with the platform, done soon.', { $ref: 'Status#' });
export const WRITTEN = json(202, 'Accepted: it is in the log and cannot be lost.', { $ref: 'Written#' });
export const binary = (description: string, types: readonly string[]): Success => ({
  status: 200,
  description,
  content: Object.fromEntries(types.map((type) => [type, { schema: { type: 'string' } }])),
});

/** Returns the schema of one operation: the source of OpenAPI, not of checks. Values are checked where their rules are kept. */
export function operation(options: {
  id: string;
  tag: string;
  summary: string;
  description?: string;
  /** A path with a node's `:id`; or what else the id is of. */
  withId?: true | string;
  /** Parameters of a path that has more than one, in place of `withId`. */
  params?: object;
  query?: ArgumentTable;
  body?: object;
  /** The body has this media type, when it is not JSON. */
  consumes?: string;
  success: Success;
  /** Answers beside the success and the failures that every operation may have, by status. */
  others?: Readonly<Record<string, Answer>>;
  extension?: boolean;
  /** These are required instead of a key or a session; nothing is where it is empty. */
  security?: readonly Record<string, readonly string[]>[];
}): FastifySchema {
  const { status, description, content } = options.success;
  return {
    operationId: options.id,
    tags: [options.tag],
    summary: options.summary,
    ...(options.description ? { description: options.description } : {}),
    ...(options.withId ? { params: options.withId === true ? ID : idOf(options.withId) } : {}),
    ...(options.params ? { params: options.params } : {}),
    ...(options.query ? { querystring: argumentsOf(options.query) } : {}),
    ...(options.body ? { body: options.body } : {}),
    ...(options.consumes ? { consumes: [options.consumes] } : {}),
    response: { [status]: { description, content }, ...options.others, ...failures() },
    ...(options.extension ? { 'x-extension': true } : {}),
    ...(options.security ? { security: options.security } : {}),
  } as FastifySchema;
}

/** Shown by what may be changed for a revision of it. */
export const REVISION = {
  type: 'integer',
  description: 'Another number with other settings. Read-only; see `If-Match`.',
  'x-extension': true,
};

const headers = (properties: object) => ({ type: 'object', properties });

/** A change that may be meant for a revision (docs/reference/requests-and-errors.md#changes-by-revision). */
export const withRevision = (schema: FastifySchema): FastifySchema => ({
  ...schema,
  headers: headers({
    'If-Match': {
      type: 'string',
      description:
        'The `revision` of what is changed, in quotes: with another one it is left as it is, 412. Default, and `*`: any.',
      examples: ['"4711"'],
      'x-extension': true,
    },
  }),
  response: { ...(schema.response as object), ...REVISION_FAILURE },
});

const KEY_HEADER = {
  'Idempotency-Key': {
    type: 'string',
    maxLength: KEY_MAX,
    description:
      'A random text of the request: sent again with it, the request is answered as the first time, and not carried out twice.',
    'x-extension': true,
  },
};

/** Returns an operation whose requests may have a key (docs/reference/requests-and-errors.md#repeated-requests). */
export const withKey = (schema: FastifySchema): FastifySchema => ({
  ...schema,
  headers: headers({ ...KEY_HEADER, ...(schema.headers as { properties?: object } | undefined)?.properties }),
});

/** Arguments are optional in the schema: the description of one says when it is required. */
const argumentsOf = (table: ArgumentTable) => ({
  type: 'object',
  properties: Object.fromEntries(Object.entries(table).map(([name, { schema }]) => [name, schema])),
});
