import { createHash } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import { isHeaderOfHttp, type SettingsOf } from '@catchment/contracts/transports';
import { type Egress, HEADERS_MAX_BYTES, REDIRECTS_MAX, REMOTE_LIMITS } from '@catchment/egress';
import { Agent, type Dispatcher, request } from 'undici';
import {
  CommunicationFailure,
  type FileConnection,
  type FileTransport,
  FinalFailure,
  type NewVersion,
  type RemoteFile,
  type SessionSource,
} from '../../acquisition/index.ts';
import type { RenderUrl } from '../usecases/ports.ts';
import { communicating, communicatingAll, shownText } from './communication.ts';

type Settings = SettingsOf<'HttpDownload'>;

/** See docs/reference/acquisition.md#downloads-over-http. */
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const VALIDATOR_CHARACTERS = 200;

/** Downloads over HTTP: each entry of the source's files is a URL. */
export class HttpDownload implements FileTransport<'HttpDownload'> {
  readonly name = 'HttpDownload';
  readonly #egress: Egress;
  readonly #renderUrl: RenderUrl;
  readonly #now: () => number;
  readonly #limitMs: number;
  readonly #ca: string | undefined;

  /** @param options.limitMs longest time of a download in all, by default a minute; `ca`: certificates trusted in place of Node's */
  constructor(
    deps: { egress: Egress; renderUrl: RenderUrl; now: () => number },
    options: { limitMs?: number; ca?: string } = {},
  ) {
    this.#egress = deps.egress;
    this.#renderUrl = deps.renderUrl;
    this.#now = deps.now;
    this.#limitMs = options.limitMs ?? REMOTE_LIMITS.download.maxMs;
    this.#ca = options.ca;
  }

  target(_settings: Settings, source: SessionSource): string {
    const [first = ''] = templatesOf(source);
    return /^https?:\/\/(?:[^@/\s]*@)?([^/?#\s{]*)/i.exec(first)?.[1] || 'HTTP';
  }

  async connect(settings: Settings, source: SessionSource): Promise<FileConnection> {
    // Stored before they were refused.
    const refused = settings.headers.find(({ name }) => isHeaderOfHttp(name));
    if (refused) throw new FinalFailure(`headers: ${refused.name} must be removed, the request has it by itself`);
    const agent = new Agent({
      connect: { lookup: this.#egress.lookup, timeout: this.#limitMs, ...(this.#ca !== undefined && { ca: this.#ca }) },
      maxHeaderSize: HEADERS_MAX_BYTES,
      headersTimeout: this.#limitMs,
      bodyTimeout: this.#limitMs,
      allowH2: false,
    });
    const headers = Object.fromEntries(settings.headers.map(({ name, value }) => [name.toLowerCase(), value]));
    return new HttpConnection({
      agent,
      headers,
      templates: templatesOf(source),
      checkUrl: (url) => this.#egress.checkUrl(url),
      limitMs: this.#limitMs,
      render: (template, signal) => {
        if (!template.includes('{{')) return Promise.resolve(template);
        const { ownerId, sourceId } = source;
        return this.#renderUrl({ ownerId, sourceId, template, nowMs: this.#now() }, signal);
      },
    });
  }
}

const templatesOf = ({ files }: SessionSource): string[] => (files?.files ?? []).map(({ match }) => match);

type Deps = {
  readonly agent: Agent;
  readonly headers: Readonly<Record<string, string>>;
  readonly templates: readonly string[];
  readonly checkUrl: (url: URL) => void;
  readonly limitMs: number;
  readonly render: (template: string, signal: AbortSignal) => Promise<string>;
};

class HttpConnection implements FileConnection {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async *files(signal: AbortSignal): AsyncGenerator<RemoteFile> {
    const { templates, render } = this.#deps;
    if (templates.length === 0) throw new FinalFailure('files: has no entry whose match is the URL to fetch');
    for (const [entry, template] of templates.entries()) {
      const path = await communicating(signal, renderWords(entry), () => render(template, signal));
      const url = communicatedUrl(path, entry);
      yield { path: url.href, name: fileNameOf(url), entry };
    }
  }

  async *read(file: RemoteFile, _fromByte: number, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const found = await this.readIfChanged(file, undefined, signal);
    if (found) yield* found.bytes;
  }

  async readIfChanged(
    file: RemoteFile,
    known: string | undefined,
    signal: AbortSignal,
  ): Promise<NewVersion | undefined> {
    const limit = AbortSignal.timeout(this.#deps.limitMs);
    const either = AbortSignal.any([signal, limit]);
    const late = (error: unknown) =>
      limit.aborted || isLate(error) ? `no answer within ${this.#deps.limitMs / 1000} s` : undefined;
    // An ETag is one of its URL, and URLs change with time.
    const ofUrl = `${createHash('sha256').update(file.path).digest('base64url').slice(0, 16)} `;
    const validator = known?.startsWith(ofUrl) ? known.slice(ofUrl.length) : undefined;
    return communicating(signal, late, async () => {
      const answer = await this.#get(new URL(file.path), validator, either);
      if (!answer) return undefined;
      const fresh = validatorOf('etag', answer.headers.etag) ?? validatorOf('date', settledDate(answer.headers));
      return {
        ...(fresh !== undefined && { version: `${ofUrl}${fresh}` }),
        bytes: communicatingAll(REMOTE_LIMITS.download, signal, late, (allowance) => allowance.passing(answer.body)),
      };
    });
  }

  async close(): Promise<void> {
    await this.#deps.agent.destroy();
  }

  /** @returns undefined for what is not changed, or has no content */
  async #get(
    asked: URL,
    validator: string | undefined,
    signal: AbortSignal,
  ): Promise<Dispatcher.ResponseData | undefined> {
    const { agent, headers, checkUrl } = this.#deps;
    let url = asked;
    for (let redirects = 0; ; redirects += 1) {
      checkUrl(url);
      // Credentials are for the host that the person named.
      const login = url.origin === asked.origin ? { ...headers, ...loginOf(asked) } : {};
      const answer = await request(plain(url), {
        headers: {
          'user-agent': 'Catchment',
          'accept-encoding': 'identity',
          ...login,
          ...conditionOf(validator),
        },
        dispatcher: agent,
        signal,
      });
      const { statusCode } = answer;
      if (statusCode === 200) return answer;
      answer.body.on('error', () => undefined).destroy();
      if (statusCode === 204 || statusCode === 304) return undefined;
      const location = answer.headers.location;
      if (!REDIRECTS.has(statusCode) || typeof location !== 'string')
        throw new Answered(answerWords(asked, statusCode));
      if (redirects === REDIRECTS_MAX) throw new Answered(`redirected more than ${REDIRECTS_MAX} times`);
      url = redirectOf(location, url);
    }
  }
}

/** Names only the file, since the rest of a URL may hold what is secret. */
const answerWords = (asked: URL, statusCode: number): string =>
  `'${shownText(fileNameOf(asked))}' was answered ${statusCode} ${STATUS_CODES[statusCode] ?? ''}`.trimEnd();

/** The answer brings no file. */
class Answered extends CommunicationFailure {}

const fileNameOf = ({ pathname, hostname }: URL): string =>
  decoded(pathname.split('/').filter(Boolean).at(-1) ?? hostname);

function communicatedUrl(text: string, entry: number): URL {
  const url = URL.parse(text.trim());
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === '')
    throw new FinalFailure(`files[${entry}].match: must be a URL such as https://example.org/data.csv`);
  return url;
}

function redirectOf(location: string, from: URL): URL {
  const url = URL.parse(location, from);
  if (!url || !/^https?:$/.test(url.protocol)) throw new Answered('redirected to what is no http or https URL');
  if (from.protocol === 'https:' && url.protocol === 'http:') throw new Answered('redirected from https to http');
  return url;
}

/** User and password go into a header. */
function plain(url: URL): URL {
  const copy = new URL(url);
  copy.username = '';
  copy.password = '';
  copy.hash = '';
  return copy;
}

function loginOf({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {};
  const login = Buffer.from(`${decoded(username)}:${decoded(password)}`).toString('base64');
  return { authorization: `Basic ${login}` };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const validatorOf = (kind: 'etag' | 'date', value: string | string[] | undefined): string | undefined =>
  typeof value === 'string' && value.length <= VALIDATOR_CHARACTERS ? `${kind} ${value}` : undefined;

/** Returns Last-Modified, where the file cannot change again within the second that it names (RFC 9110, 8.8.2.2). */
function settledDate({ date, 'last-modified': modified }: Dispatcher.ResponseData['headers']): string | undefined {
  if (typeof date !== 'string' || typeof modified !== 'string') return undefined;
  return Date.parse(date) - Date.parse(modified) >= 1_000 ? modified : undefined;
}

function conditionOf(validator: string | undefined): Record<string, string> {
  if (validator?.startsWith('etag ')) return { 'if-none-match': validator.slice(5) };
  return validator?.startsWith('date ') ? { 'if-modified-since': validator.slice(5) } : {};
}

const isLate = (error: unknown): boolean => /^UND_ERR_\w+_TIMEOUT$/.test(String((error as { code?: unknown }).code));
/** The service that evaluates expressions says what is wrong with an expression; it may also be away. */
const renderWords =
  (entry: number) =>
  (error: unknown): string =>
    `files[${entry}].match: cannot be evaluated: ${error instanceof Error ? error.message : 'unknown'}`;
