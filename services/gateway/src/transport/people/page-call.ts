import type { CallerSigner, CallOptions } from '@catchment/grpc';
import type { Logger } from '@catchment/telemetry';
import type { FastifyReply, FastifyRequest, FastifySchema } from 'fastify';
import type { BodyBudget } from '../../domain/body-budget.ts';
import type { Authenticator } from '../../usecases/authenticator.ts';
import type { Peers } from '../../usecases/ports.ts';
import type { FormBody } from '../request/form-body.ts';
import type { QueryArguments } from '../request/query.ts';

export type PeopleDeps = {
  readonly people: Peers['people'];
  readonly security: Peers['security'];
  readonly sessions: Authenticator;
  readonly signer: CallerSigner;
  /** People open pages at this address. */
  readonly appUrl: string | undefined;
  readonly log: Logger;
  readonly budget: BodyBudget;
};

/** A browser asks for a page, or sends its form. */
export type PageCall = {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** Session token of the browser. */
  readonly session: string | undefined;
  readonly query: QueryArguments;
  /** Empty for GET. */
  readonly form: FormBody;
  /** The gateway itself calls with these. */
  readonly options: CallOptions;
};

/** The answer is a page, a JSON document for programs, or where to go on. */
export type PageAnswer =
  | { readonly status?: number; readonly page: string; readonly headers?: Readonly<Record<string, string>> }
  | { readonly status?: number; readonly json: unknown }
  | { readonly goTo: string };

export type PageHandler = (call: PageCall) => Promise<PageAnswer>;
export type PageTable = Readonly<
  Record<string, { readonly GET?: PageHandler; readonly POST?: PageHandler; readonly schema?: FastifySchema }>
>;
