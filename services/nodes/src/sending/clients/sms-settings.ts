import type { EnvReader } from '@catchment/config';
import { type ExpressionText, parseExpressions } from '@catchment/expressions';

/** Each SMS leaves by an HTTP request that is made of templates. Secrets in here are never logged. */
export type SmsSettings = {
  readonly method: 'POST' | 'PUT' | 'GET';
  readonly url: ExpressionText;
  readonly headers: readonly (readonly [name: string, value: ExpressionText])[];
  /** undefined = the request has none. */
  readonly body: ExpressionText | undefined;
  /** The sender's number or name. */
  readonly from: string;
  readonly user: string;
  readonly password: string;
};

/** A gateway takes this unless the settings say otherwise. */
const PRESETS = {
  json: {
    url: undefined,
    contentType: 'application/json',
    body: '{"id": {{ id | json }}, "from": {{ from | json }}, "to": {{ to | json }}, "text": {{ text | json }}}',
  },
  /** Also what many others offer that are made like it. */
  twilio: {
    url: 'https://api.twilio.com/2010-04-01/Accounts/{{ user | url_encode }}/Messages.json',
    contentType: 'application/x-www-form-urlencoded',
    body: 'To={{ to | url_encode }}&From={{ from | url_encode }}&Body={{ text | url_encode }}',
  },
} as const;

const SAMPLE = { id: '1', to: '+61865550100', from: '+61865550101', text: 'Text', user: 'user', password: 'password' };
const NO_CLOCK = { nowMs: 0, work: 100_000 };

/**
 * Reads `SMS_URL`, `SMS_PRESET`, `SMS_METHOD`, `SMS_HEADERS`, `SMS_CONTENT_TYPE`, `SMS_BODY`, `SMS_FROM`, `SMS_USER`, `SMS_PASSWORD`.
 * @returns undefined when neither SMS_URL nor SMS_PRESET is set: no SMS is sent then
 */
export function readSmsSettings(read: EnvReader): SmsSettings | undefined {
  if (read.optionalText('SMS_URL') === undefined && read.optionalText('SMS_PRESET') === undefined) return undefined;
  const preset = PRESETS[read.oneOf('SMS_PRESET', ['json', 'twilio'], { fallback: 'json' })];
  const method = read.oneOf('SMS_METHOD', ['POST', 'PUT', 'GET'], { fallback: 'POST' });
  const [user, password] = [read.optionalText('SMS_USER') ?? '', read.optionalText('SMS_PASSWORD') ?? ''];
  const url = read.parsed('SMS_URL', urlTemplate, {
    ...(preset.url !== undefined && { fallback: preset.url }),
    placeholder: 'http://unset.invalid',
    rule: 'must be a URL that begins with http:// or https://; its expressions must be valid',
  });
  const headers = read.parsed('SMS_HEADERS', headerTemplates, {
    fallback: 'Accept: application/json',
    placeholder: '',
    rule: 'must be lines of the form Name: value; their expressions must be valid',
  });
  const contentType = read.text('SMS_CONTENT_TYPE', {
    fallback: preset.contentType,
    pattern: /^[\w.+-]+\/[\w.+-]+(?:; ?charset=[\w-]+)?$/,
    rule: 'must be a media type',
  });
  const body = read.parsed('SMS_BODY', template, {
    fallback: preset.body,
    placeholder: '',
    rule: 'must be a text whose expressions are valid',
  });
  const givenNames = new Set(headers.map(([name]) => name.toLowerCase()));
  const usual: (readonly [name: string, value: string])[] = [
    ...(method === 'GET' ? [] : [['Content-Type', contentType] as const]),
    // A gateway that knows it takes a message once, however often it is tried.
    ['Idempotency-Key', '{{ id }}'],
    ...(user === ''
      ? []
      : [['Authorization', `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`] as const]),
  ];
  return {
    method,
    url,
    headers: [
      ...headers,
      ...usual
        .filter(([name]) => !givenNames.has(name.toLowerCase()))
        .map(([name, value]) => [name, parseExpressions(value)] as const),
    ],
    body: method === 'GET' ? undefined : body,
    from: read.text('SMS_FROM'),
    user,
    password,
  };
}

function template(text: string): ExpressionText | undefined {
  try {
    const parsed = parseExpressions(text);
    parsed.render(SAMPLE, NO_CLOCK);
    return parsed;
  } catch {
    return undefined;
  }
}

function urlTemplate(text: string): ExpressionText | undefined {
  const parsed = template(text);
  const url = parsed?.render(SAMPLE, NO_CLOCK) ?? '';
  return /^https?:/i.test(url) && URL.canParse(url) ? parsed : undefined;
}

function headerTemplates(text: string): [string, ExpressionText][] | undefined {
  const headers: [string, ExpressionText][] = [];
  for (const line of text.split('\n').filter((part) => part.trim() !== '')) {
    const [, name, value] = /^([\w-]+):\s*(.*?)\s*$/.exec(line) ?? [];
    const parsed = value === undefined ? undefined : template(value);
    if (name === undefined || !parsed) return undefined;
    headers.push([name, parsed]);
  }
  return headers;
}
