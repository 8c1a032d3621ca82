import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { type Egress, failureWords } from '@catchment/egress';
import type { WebPictures } from '../../usecases/report-ports.ts';

const MAX_BYTES = 10 * 1024 * 1024;
const LIMIT_MS = 5_000;
const REDIRECTS_MAX = 5;
const HEADERS_MAX_BYTES = 16 * 1024;

/** Pictures of the web, by the guard of outgoing connections: public addresses only, and those that the operator allows. */
export const webPictures = (egress: Egress): WebPictures => ({
  async fetch(address, signal) {
    const limit = AbortSignal.timeout(LIMIT_MS);
    try {
      return await fetched(egress, address, AbortSignal.any([signal, limit]));
    } catch (error) {
      if (error instanceof Refused) throw error;
      throw new Error(limit.aborted ? `no answer within ${LIMIT_MS / 1000} s` : failureWords(error));
    }
  },
});

class Refused extends Error {}

async function fetched(egress: Egress, address: string, signal: AbortSignal): Promise<Uint8Array> {
  let url = urlOf(address);
  for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects += 1) {
    egress.checkUrl(url);
    const answer = await answerOf(egress, url, signal);
    const { statusCode = 0 } = answer;
    const { location } = answer.headers;
    if (statusCode === 200) return bytesOf(answer);
    answer.destroy();
    if (statusCode < 300 || statusCode > 399 || location === undefined)
      throw new Refused(`it was answered ${statusCode}`);
    url = urlOf(location, url);
  }
  throw new Refused(`redirected more than ${REDIRECTS_MAX} times`);
}

function urlOf(text: string, base?: URL): URL {
  const url = URL.parse(text, base);
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === '') throw new Refused('no http or https address');
  url.username = '';
  url.password = '';
  return url;
}

const answerOf = (egress: Egress, url: URL, signal: AbortSignal): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const request = url.protocol === 'https:' ? requestHttps : requestHttp;
    request(
      url,
      {
        agent: false,
        lookup: egress.lookup,
        maxHeaderSize: HEADERS_MAX_BYTES,
        signal,
        headers: { 'user-agent': 'Catchment', accept: 'image/*', 'accept-encoding': 'identity' },
      },
      resolve,
    )
      .once('error', reject)
      .end();
  });

async function bytesOf(answer: IncomingMessage): Promise<Uint8Array> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of answer as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > MAX_BYTES) throw new Refused(`it has more than ${MAX_BYTES / 1024 / 1024} MiB`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}
