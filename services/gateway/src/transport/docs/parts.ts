import type { FastifySchema } from 'fastify';
import { type TSchema, Type } from 'typebox';

/** A query argument, always optional for the machine: its own text says when it is required. */
export type Argument = { readonly name: string; readonly schema: TSchema };

type Extra = { example?: string | number; extension?: boolean; required?: boolean };

const extras = ({ example, extension }: Extra) => ({
  ...(example === undefined ? {} : { examples: [example] }),
  ...(extension ? { 'x-extension': true } : {}),
});

export const text = (name: string, description: string, extra: Extra = {}): Argument => ({
  name,
  schema: Type.String({ description, ...extras(extra) }),
});
export const whole = (
  name: string,
  description: string,
  options: Extra & { minimum?: number; maximum?: number; default?: number } = {},
): Argument => {
  const { example, extension, ...rules } = options;
  return {
    name,
    schema: Type.Integer({
      description,
      ...rules,
      ...extras({ ...(example === undefined ? {} : { example }), ...(extension ? { extension } : {}) }),
    }),
  };
};
export const choice = (name: string, words: readonly string[], fallback: string, description: string): Argument => ({
  name,
  schema: Type.Unsafe<string>({
    type: 'string',
    enum: [...words],
    ...(fallback ? { default: fallback } : {}),
    description: `${description} Any letter case.`,
  }),
});

export const ATTR = text('attr', 'Comma-separated attribute names, dotted to reach inside objects. Default: all.', {
  example: '_id,name',
});
export const FILTER = text(
  'filter',
  'Criteria `attribute($operator:value)`, joined by `,` (and) and `|` (or). Operators: `$eq $ne $gt $gte $lt $lte $match`. Where an attribute holds the id of a node, the value may be `@customId` too.',
  { example: 'name($match:Batt),isActive($eq:true)' },
);
export const SORT = text('sort', 'Comma-separated attributes, each with an optional direction.', {
  example: 'createdTime(DESC)',
});
export const SKIP = whole('skip', 'Leaves out the first n.', { minimum: 0, default: 0 });
export const TIMEZONE = text('timezone', 'Zone of the answer, and of interval and baseTime.', { example: 'Etc/UTC' });
export const ADJUST = choice('timezoneAdjustForDst', ['TRUE', 'FALSE'], 'FALSE', 'Daylight saving time.');

const ID = Type.Object({
  id: Type.String({
    description: 'The 24 hex characters of `_id`, or `@` and the customId.',
    examples: ['53eada0ada91110000000046', '@station-7'],
  }),
});

const idOf = (description: string) => Type.Object({ id: Type.String({ description }) });

/**
 * Every operation may fail in these ways (docs/reference/requests-and-errors.md#status-codes,
 * docs/reference/requests-and-errors.md#error-body).
 */
const FAILURES = {
  400: 'An argument, the body or its encoding breaks a rule; the message names it.',
  401: 'The key is missing, malformed, unknown or revoked.',
  403: 'The key may not do this, or not in this workspace; or the account is disabled.',
  404: 'No such path, node or device in this account.',
  405: 'The path exists, the method does not; `Allow` lists those that do.',
  413: 'Body over 5 MiB, query string over 4096 bytes, or an answer that is too large or too slow.',
  429: 'Too many requests, or too many failed authentications from this address; see `Retry-After`.',
  500: 'Unexpected; the log has the details under the answer’s X-Request-Id.',
  503: 'Starting, stopping, or a part of the platform is away; try again after `Retry-After` seconds.',
} as const;

const failures = () =>
  Object.fromEntries(
    Object.entries(FAILURES).map(([status, description]) => [
      status,
      { description, content: { 'application/json': { schema: { $ref: 'Error#' } } } },
    ]),
  );

type Success = { status: 200 | 201 | 202; description: string; content: Record<string, object> };
type Answer = {
  readonly type?: 'null';
  readonly description: string;
  readonly content?: Record<string, object>;
  readonly headers?: Record<string, object> | undefined;
};

/** How the generator of the description is told of headers, and (`null`) that there is no body. */
const header = (description: string) => ({ type: 'string', description });
const bare = (description: string, headers: Answer['headers']): Answer => ({ type: 'null', description, headers });

/** Of reads with an ETag (docs/reference/requests-and-errors.md#conditional-requests). */
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
export const ACCEPTED = json(202, 'Accepted: safe with the platform, done soon.', { $ref: 'Status#' });
export const binary = (description: string, types: readonly string[]): Success => ({
  status: 200,
  description,
  content: Object.fromEntries(types.map((type) => [type, { schema: { type: 'string' } }])),
});

/** The schema of one operation: the source of OpenAPI, not of checks. Values are checked where their rules are kept. */
export function operation(options: {
  id: string;
  tag: string;
  summary: string;
  description?: string;
  /** A path with a node's `:id`; or what else the id is of. */
  withId?: true | string;
  query?: readonly Argument[];
  body?: object;
  /** Media type of the body, when it is not JSON. */
  consumes?: string;
  success: Success;
  /** Answers beside the success and the failures that every operation may have, by status. */
  others?: Readonly<Record<string, Answer>>;
  extension?: boolean;
  /** What it asks for in place of a key or a session; empty = nothing. */
  security?: readonly Record<string, readonly string[]>[];
}): FastifySchema {
  const { status, description, content } = options.success;
  return {
    operationId: options.id,
    tags: [options.tag],
    summary: options.summary,
    ...(options.description ? { description: options.description } : {}),
    ...(options.withId ? { params: options.withId === true ? ID : idOf(options.withId) } : {}),
    ...(options.query ? { querystring: argumentsOf(options.query) } : {}),
    ...(options.body ? { body: options.body } : {}),
    ...(options.consumes ? { consumes: [options.consumes] } : {}),
    response: { [status]: { description, content }, ...options.others, ...failures() },
    ...(options.extension ? { 'x-extension': true } : {}),
    ...(options.security ? { security: options.security } : {}),
  } as FastifySchema;
}

const argumentsOf = (query: readonly Argument[]) =>
  Type.Object(Object.fromEntries(query.map(({ name, schema }) => [name, Type.Optional(schema)])));
