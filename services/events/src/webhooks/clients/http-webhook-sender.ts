import { Egress, failureWords, HEADERS_MAX_BYTES, REMOTE_LIMITS, type ResolveHost } from '@catchment/egress';
import { failSpan, SpanKind, withSpan } from '@catchment/telemetry';
import { Webhook } from 'standardwebhooks';
import { Agent, type Dispatcher, request } from 'undici';
import { answerText, type Try } from '../domain/delivery.ts';
import type { TargetRules } from '../domain/webhook.ts';
import type { WebhookSender } from '../usecases/ports.ts';

/** Sends deliveries over HTTP, signed as Standard Webhooks have it (docs/reference/events.md#webhooks). */
export class HttpWebhookSender implements WebhookSender {
  readonly #rules: TargetRules;
  readonly #egress: Egress;
  readonly #now: () => number;
  readonly #agent: Agent;
  readonly #tryMs: number;

  /** @param options.tryMs longest time of a try in all: name, connection, TLS, headers and body of the answer */
  constructor(options: { rules: TargetRules; resolve: ResolveHost; now: () => number; tryMs: number }) {
    this.#rules = options.rules;
    this.#now = options.now;
    this.#tryMs = options.tryMs;
    this.#egress = new Egress({ allowed: options.rules.allowedRanges, resolve: options.resolve });
    this.#agent = new Agent({
      connect: { lookup: this.#egress.lookup, timeout: this.#tryMs },
      maxHeaderSize: HEADERS_MAX_BYTES,
      allowH2: false,
    });
  }

  async send(message: Parameters<WebhookSender['send']>[0], signal: AbortSignal): Promise<Try> {
    const timeMs = this.#now();
    const began = performance.now();
    const limit = AbortSignal.timeout(this.#tryMs);
    const result = await this.#traced(message, timeMs, AbortSignal.any([signal, limit])).catch((error: unknown) => {
      if (signal.aborted) throw error;
      return { error: limit.aborted ? `no answer within ${this.#tryMs / 1000} s` : failureOf(error) };
    });
    return { timeMs, durationMs: Math.round(performance.now() - began), ...result };
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  /** Traces the host alone of an address that a person has given: its path may open something. */
  #traced(message: Parameters<WebhookSender['send']>[0], timeMs: number, signal: AbortSignal) {
    const { hostname, port, protocol } = new URL(message.url);
    const attributes = {
      'http.request.method': 'POST',
      'server.address': hostname,
      'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
      'url.scheme': protocol.slice(0, -1),
    };
    return withSpan('POST', { kind: SpanKind.CLIENT, attributes, hidesErrors: true }, async (span) => {
      const answer = await this.#post(message, timeMs, signal);
      span.setAttribute('http.response.status_code', answer.statusCode);
      if (answer.error !== undefined) failSpan(span, String(answer.statusCode));
      return answer;
    });
  }

  async #post(
    { url, id, body, secrets }: Parameters<WebhookSender['send']>[0],
    timeMs: number,
    signal: AbortSignal,
  ): Promise<Required<Pick<Try, 'statusCode'>> & Pick<Try, 'error' | 'answer'>> {
    this.#checkTarget(new URL(url));
    const time = new Date(timeMs);
    const answer = await request(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/cloudevents-batch+json; charset=utf-8',
        'user-agent': 'Catchment-Webhooks',
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(timeMs / 1000)),
        'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, time, body)).join(' '),
      },
      body,
      signal,
      dispatcher: this.#agent,
    });
    const { statusCode } = answer;
    const text = await beginningOf(answer.body);
    const answered = { statusCode, ...(text !== undefined && { answer: text }) };
    if (statusCode >= 200 && statusCode < 300) return answered;
    const isRedirect = statusCode >= 300 && statusCode < 400;
    return { ...answered, error: `answered ${statusCode}${isRedirect ? ': redirects are not followed' : ''}` };
  }

  /** Settings may have become stricter since the webhook was made; an address in a URL is connected to without a look-up. */
  #checkTarget(url: URL): void {
    this.#egress.checkUrl(url);
    if (url.protocol !== 'https:' && !this.#rules.allowsHttp) throw new HttpRefused();
  }
}

/** This is more than the log shows of it, in any characters. */
const BEGINNING_BYTES = 1_024;

/**
 * The status decides. The rest of the answer is read so that the connection can be used again; a long rest is dropped.
 */
async function beginningOf(body: Dispatcher.ResponseData['body']): Promise<string | undefined> {
  const kept: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const piece of body as AsyncIterable<Uint8Array>) {
      if (bytes < BEGINNING_BYTES) kept.push(piece.subarray(0, BEGINNING_BYTES - bytes));
      bytes += piece.length;
      if (bytes >= REMOTE_LIMITS.status.maxBytes) break;
    }
  } catch {
    // The part that has come until then is reported.
  }
  return answerText(Buffer.concat(kept));
}

class HttpRefused extends Error {}

/** Returns words for people; texts of libraries may hold whatever the receiver sends. */
function failureOf(error: unknown): string {
  return error instanceof HttpRefused ? 'must be https' : (failureWords(error) ?? 'not sent');
}
