import { DomainError, invalid, notFound } from '@catchment/errors';
import { parseJsonBody } from '@catchment/json-body';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { BodyBudget, Payer } from '../../domain/body-budget.ts';
import { type IncomingSms, isSameSecret, parseSms, twilioSignature } from '../../domain/incoming-sms.ts';
import { openClaim } from '../request/body-hook.ts';
import { decodedPairs } from '../request/query.ts';
import { receiveBytes } from '../request/read-body.ts';
import { HttpProblem } from '../response/problem.ts';
import { sendBytes } from '../response/send.ts';
import { ACCEPTED } from '../routing/api-call.ts';
import { definePathEnds } from '../routing/define-routes.ts';
import { type PushedDeps, pushedFile, uploadPath } from './pushed-file.ts';

export type SmsDeps = PushedDeps & {
  readonly budget: BodyBudget;
  readonly uploadUrl: string | undefined;
  readonly smsIncoming: { readonly twilio: string | undefined; readonly json: string | undefined };
};

const BODY_MAX_BYTES = 64 * 1024;
const FILE_NAME = 'sms.txt';
/** The phone gets no answer. */
const NO_ANSWER = {
  status: 200,
  bytes: Buffer.from('<Response/>'),
  contentType: 'text/xml',
  caching: 'no-store',
} as const;

/** Takes SMS as providers hand them over (docs/reference/acquisition.md#sms). A provider without its setting does not exist. */
export function addSms(app: FastifyInstance, deps: SmsDeps): void {
  const { twilio, json } = deps.smsIncoming;
  const path = `${uploadPath(deps.uploadUrl)}/sms`;
  if (twilio !== undefined)
    provider(app, deps, `${path}/twilio`, {
      answer: NO_ANSWER,
      admit: ({ headers }) => {
        if (typeof headers['x-twilio-signature'] !== 'string') throw unknownProvider();
        // It is a signature of the body too.
        return undefined;
      },
      read: (request, body) => ofTwilio(request, body, { token: twilio, address: addressOf(deps, request, 'twilio') }),
    });
  if (json !== undefined)
    provider(app, deps, `${path}/json`, {
      answer: ACCEPTED,
      admit: ({ headers }) => {
        const given = /^bearer\s+(\S+)$/i.exec(headers.authorization ?? '')?.[1];
        if (!isSameSecret(json, given)) throw unknownProvider();
        return { account: 'the provider of SMS' };
      },
      read: (_request, body) => ofJson(body),
    });
}

type Provider = {
  readonly answer: Parameters<typeof sendBytes>[2];
  /**
   * Names who pays for the body, by the headers of the request. @throws HttpProblem 401 where they are not the
   * provider's
   */
  readonly admit: (request: FastifyRequest) => Payer | undefined;
  /** @throws HttpProblem 401 unless the provider sent it; DomainError invalid_argument */
  readonly read: (request: FastifyRequest, body: Buffer) => IncomingSms;
};

function provider(app: FastifyInstance, deps: SmsDeps, url: string, { answer, admit, read }: Provider): void {
  app.route({
    method: 'POST',
    url,
    schema: { hide: true },
    handler: async (request, reply) => {
      const claim = openClaim(deps.budget, request, admit(request));
      await takeSms(deps, read(request, await receiveBytes(request.raw, BODY_MAX_BYTES, claim)));
      await sendBytes(request, reply, answer);
      return reply;
    },
  });
  definePathEnds(app, url, ['POST'], false);
}

async function takeSms(deps: PushedDeps, { from, text }: IncomingSms): Promise<void> {
  const sms = parseSms(text);
  if (!sms) throw invalid('INVALID_BODY', 'text: must have two lines, the key of a source and its data');
  const bytes = Buffer.from(`${sms.payload}\n`);
  // Failures are counted by the number of the phone: all SMS come from the address of the provider.
  const begun = { transport: 'Sms', key: sms.key, fileName: FILE_NAME, address: `sms:${from}` };
  await pushedFile(deps, begun, async ({ write }) => {
    await write(0, bytes);
    return bytes.length;
  }).catch((error: unknown) => {
    throw error instanceof DomainError && error.kind === 'unauthenticated' ? notFound() : error;
  });
}

function ofTwilio(
  { headers }: FastifyRequest,
  body: Buffer,
  { token, address }: { readonly token: string; readonly address: string },
): IncomingSms {
  const fields = decodedPairs(body.toString('latin1'), 'body');
  const given = headers['x-twilio-signature'];
  if (typeof given !== 'string' || !isSameSecret(twilioSignature(address, fields, token), given))
    throw unknownProvider();
  const { From: from = '', Body: text = '' } = Object.fromEntries(fields) as Record<string, string | undefined>;
  return { from, text };
}

function ofJson(body: Buffer): IncomingSms {
  const { from, text } = parseJsonBody(body) as Record<string, unknown>;
  if (typeof from !== 'string' || typeof text !== 'string')
    throw invalid('INVALID_BODY', 'body: must have the texts from and text');
  return { from, text };
}

const unknownProvider = () => new HttpProblem(401, 'UNAUTHENTICATED');

/** Address of a request as its provider knows it. */
const addressOf = ({ uploadUrl }: SmsDeps, request: FastifyRequest, name: string): string =>
  uploadUrl === undefined
    ? `${request.protocol}://${request.host}${request.raw.url}`
    : `${uploadUrl.replace(/\/+$/, '')}/sms/${name}`;
