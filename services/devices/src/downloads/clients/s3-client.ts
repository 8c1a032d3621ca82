import { setTimeout as pause } from 'node:timers/promises';
import {
  AddressRefused,
  Allowance,
  type Egress,
  HEADERS_MAX_BYTES,
  LimitReached,
  type Limits,
} from '@catchment/egress';
import { Agent, type Dispatcher } from 'undici';
import { readRefusal } from './s3-answer.ts';
import { type S3Ask, type S3Key, type S3Place, s3Request } from './s3-request.ts';

const CONNECT_MS = 10_000;
const ANSWER_MS = 30_000;
const CONNECTIONS = 4;
/** The settings may name no endpoint; a bucket of another region says so. */
const FIRST_REGION = 'us-east-1';
const REGION_NAME = /^[a-z0-9]{1,20}(?:-[a-z0-9]{1,20}){0,4}$/;
/** A request that failed in passing is repeated after this pause. */
const PAUSE_MS = 100;
const PASSING: ReadonlySet<string> = new Set(['SlowDown', 'RequestTimeout', 'Throttling', 'ThrottlingException']);

/** The answer is none of success. */
export class S3Refused extends Error {
  readonly code: string | undefined;
  readonly statusCode: number;
  readonly region: string | undefined;
  readonly dateMs: number;

  constructor({ statusCode, headers }: Dispatcher.ResponseData, text: string) {
    super('refused');
    const { code, region } = readRefusal(text);
    const named = headers['x-amz-bucket-region'];
    this.code = code;
    this.statusCode = statusCode;
    this.region = typeof named === 'string' ? named : region;
    this.dateMs = Date.parse(String(headers.date));
  }
}

/** Sends requests about one bucket through the guard of outgoing connections. */
export class S3Client {
  readonly #agent: Agent;
  readonly #key: S3Key;
  readonly #refusal: Limits;
  readonly #now: () => number;
  #place: S3Place;
  /** The clock of the server is so much ahead of ours; known once it has refused a request for that. */
  #skewMs = 0;

  /** @param options.refusal what a refusal may take */
  constructor(
    place: Omit<S3Place, 'region'>,
    key: S3Key,
    options: { egress: Egress; refusal: Limits; now: () => number },
  ) {
    this.#place = { ...place, region: FIRST_REGION };
    this.#key = key;
    this.#refusal = options.refusal;
    this.#now = options.now;
    this.#agent = new Agent({
      connect: { lookup: options.egress.lookup, timeout: CONNECT_MS },
      connections: CONNECTIONS,
      maxHeaderSize: HEADERS_MAX_BYTES,
      headersTimeout: ANSWER_MS,
      bodyTimeout: ANSWER_MS,
      allowH2: false,
    });
  }

  /**
   * Asks once more where that may help: after a failure in passing, and in the region or by the clock that the server names.
   * @returns an answer of success; its body ends with the signal
   * @throws S3Refused; errors of connections
   */
  async send(ask: S3Ask, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    const left = { corrections: 1, repetitions: 1 };
    for (;;) {
      try {
        return await this.#sendOnce(ask, signal);
      } catch (error) {
        if (signal.aborted) throw error;
        if (left.corrections > 0 && this.#corrected(error)) left.corrections -= 1;
        else if (left.repetitions > 0 && isPassing(error)) left.repetitions -= 1;
        else throw error;
      }
      await pause(PAUSE_MS, undefined, { signal });
    }
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  async #sendOnce(ask: S3Ask, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    const request = s3Request(ask, this.#place, { key: this.#key, nowMs: this.#now() + this.#skewMs });
    // Proxies may change these two: they are not signed.
    const headers = { ...request.headers, 'user-agent': 'Catchment', 'accept-encoding': 'identity' };
    const answer = await this.#agent.request({ ...request, headers, signal });
    if (answer.statusCode >= 200 && answer.statusCode < 300) return answer;
    throw new S3Refused(answer, await boundedText(answer.body, this.#refusal, signal));
  }

  /** Takes the region or the clock that a refusal names. @returns whether the next request is signed by it */
  #corrected(error: unknown): boolean {
    if (!(error instanceof S3Refused)) return false;
    const { code, region, dateMs } = error;
    if (code === 'RequestTimeTooSkewed' && !Number.isNaN(dateMs)) {
      this.#skewMs = dateMs - this.#now();
      return true;
    }
    if (region === undefined || region === this.#place.region || !REGION_NAME.test(region)) return false;
    this.#place = { ...this.#place, region };
    return true;
  }
}

/** All of a body. @throws LimitReached */
export async function boundedText(
  body: Dispatcher.ResponseData['body'],
  limits: Limits,
  signal: AbortSignal,
): Promise<string> {
  using allowance = new Allowance(limits, signal);
  const end = () => body.destroy(allowance.signal.reason);
  allowance.signal.addEventListener('abort', end, { once: true });
  return Buffer.concat(await Array.fromAsync(allowance.passing(body))).toString();
}

function isPassing(error: unknown): boolean {
  if (error instanceof AddressRefused || error instanceof LimitReached) return false;
  if (!(error instanceof S3Refused)) return true;
  return error.statusCode >= 500 || error.statusCode === 429 || PASSING.has(error.code ?? '');
}
