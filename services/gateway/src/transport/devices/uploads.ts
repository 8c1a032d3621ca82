import { DomainError, invalid } from '@catchment/errors';
import { FILE_HAND_OVER, readArguments } from '@catchment/query';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { BodyBudget } from '../../domain/body-budget.ts';
import { fileNameOf } from '../../domain/content-disposition.ts';
import { openClaim, UPLOAD_MEMORY_BYTES } from '../request/body-hook.ts';
import { parseQuery, rawQueryOf } from '../request/query.ts';
import { receiveFile } from '../request/receive-upload.ts';
import { checkFileHeaders } from '../request/upload-headers.ts';
import { HttpProblem } from '../response/problem.ts';
import { sendBytes } from '../response/send.ts';
import { ACCEPTED } from '../routing/api-call.ts';
import { definePathEnds } from '../routing/define-routes.ts';
import { type PushedDeps, pushedFile, uploadPath } from './pushed-file.ts';
import * as docs from './uploads-docs.ts';

/** Takes files by the push keys of sources, without a key of the API (docs/reference/acquisition.md#uploads). */
export function addUploads(
  app: FastifyInstance,
  deps: PushedDeps & { readonly budget: BodyBudget; readonly uploadUrl: string | undefined },
): void {
  const url = `${uploadPath(deps.uploadUrl)}/source/:key`;
  app.route({
    method: 'POST',
    url,
    schema: docs.pushFile,
    handler: async (request, reply) => {
      checkFileHeaders(request.raw);
      if (/^multipart\//i.test(request.headers['content-type'] ?? ''))
        throw invalid('BAD_CONTENT_TYPE', 'body: must be the file itself, not a form with it');
      await pushedFile(deps, begunBy(request), async (target, account) => {
        openClaim(deps.budget, request, { account }).take(UPLOAD_MEMORY_BYTES);
        const size = await receiveFile(request.raw, target);
        if (size === 0) throw invalid('BODY_MISSING', 'body: must be sent');
        return size;
      }).catch(refused);
      await sendBytes(request, reply, ACCEPTED);
      return reply;
    },
  });
  definePathEnds(app, url, ['POST'], false);
}

function begunBy(request: FastifyRequest) {
  const { name } = readArguments(FILE_HAND_OVER, parseQuery(rawQueryOf(request.raw.url ?? '')));
  const password = passwordOf(request.headers.authorization);
  return {
    transport: 'HttpUpload',
    key: (request.params as { key: string }).key,
    fileName: fileNameOf(request.headers['content-disposition'] ?? '') ?? name,
    address: request.ip,
    ...(password !== undefined && { password }),
  };
}

/** Password of Basic (RFC 7617). The key names the source, so the user name does not count. */
export function passwordOf(authorization = ''): string | undefined {
  const encoded = /^basic\s+([A-Za-z0-9+/=]+)\s*$/i.exec(authorization)?.[1];
  const login = encoded && Buffer.from(encoded, 'base64').toString('utf8');
  const at = login?.indexOf(':') ?? -1;
  return at < 0 ? undefined : login?.slice(at + 1);
}

/** Here it is the client that is not authenticated, not the gateway. */
export function refused(error: unknown): never {
  if (!(error instanceof DomainError) || error.kind !== 'unauthenticated') throw error;
  const headers = { 'www-authenticate': 'Basic realm="upload", charset="UTF-8"' };
  throw new HttpProblem(401, error.reason, { headers, cause: error });
}
