import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import {
  Allowance,
  type Egress,
  failureWords,
  HEADERS_MAX_BYTES,
  type Limits,
  REDIRECTS_MAX,
  REMOTE_LIMITS,
} from '@catchment/egress';
import type { WebPictures } from '../../usecases/report-ports.ts';

/** Loads pictures of the web, by the guard of outgoing connections: public addresses only, and those that the operator allows. */
export const webPictures = (egress: Egress, limits: Limits = REMOTE_LIMITS.picture): WebPictures => ({
  async fetch(address, signal) {
    const limit = AbortSignal.timeout(limits.maxMs);
    using allowance = new Allowance(limits, AbortSignal.any([signal, limit]));
    try {
      return await fetched(egress, address, allowance);
    } catch (error) {
      if (error instanceof Refused) throw error;
      throw new Error(limit.aborted ? `no answer within ${limits.maxMs / 1000} s` : failureWords(error));
    }
  },
});

class Refused extends Error {}

async function fetched(egress: Egress, address: string, allowance: Allowance): Promise<Uint8Array> {
  let url = urlOf(address);
  for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects += 1) {
    egress.checkUrl(url);
    const answer = await answerOf(egress, url, allowance.signal);
    const { statusCode = 0 } = answer;
    const { location } = answer.headers;
    if (statusCode === 200)
      return Buffer.concat(await Array.fromAsync(allowance.passing(answer as AsyncIterable<Buffer>)));
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
