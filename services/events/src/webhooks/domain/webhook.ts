import { revisionOf } from '@catchment/access';
import { type AddressRange, addressIn, isAllowedAddress } from '@catchment/egress/addresses';
import { type DomainError, invalid } from '@catchment/errors';
import { textProblem } from '@catchment/ids';
import { parseJsonBody } from '@catchment/json-body';
import { type DISABLED_REASONS, parseFilter, WEBHOOK } from '@catchment/query';

export type DisabledReason = keyof typeof DISABLED_REASONS;

/** People choose this of a webhook. */
export type WebhookSettings = {
  readonly name: string;
  readonly url: string;
  /** The filter works as in `GET /events`; empty = all events of the account. */
  readonly filter: string;
  readonly isEnabled: boolean;
};

/** Returns the revision of what people choose (docs/reference/requests-and-errors.md#changes-by-revision). */
export const settingsRevision = ({ name, url, filter, isEnabled }: WebhookSettings): number =>
  revisionOf([name, url, filter, isEnabled]);

/** The operator allows these targets. */
export type TargetRules = { readonly allowsHttp: boolean; readonly allowedRanges: readonly AddressRange[] };

/** Attributes of this body are unchecked. */
type WebhookBody = Readonly<Record<string, unknown>>;

/** A change by a person gives the settings afterwards, and says whether what has waited is left out. */
type WebhookChange = { readonly settings: WebhookSettings; readonly skipsWaiting: boolean };

const invalidAttribute = (name: string, rule: string): DomainError => invalid('INVALID_ATTRIBUTE', `${name}: ${rule}`);

/**
 * Reads the body of `POST` and `PUT /owners/account/webhooks`; other attributes are ignored.
 * @param current undefined = a new webhook
 * @throws DomainError invalid_argument naming the attribute
 */
export function readWebhook(
  given: WebhookBody,
  current: WebhookSettings | undefined,
  rules: TargetRules,
): WebhookChange {
  const before = current ?? { name: undefined, url: undefined, filter: '', isEnabled: true };
  return {
    settings: {
      name: readName(given.name ?? before.name),
      url: given.url === undefined && current ? current.url : readUrl(given.url, rules),
      filter: readFilter(given.filter === undefined ? before.filter : (given.filter ?? '')),
      isEnabled: readFlag('enabled', given.enabled, before.isEnabled),
    },
    skipsWaiting: readFlag('skipWaiting', given.skipWaiting, false),
  };
}

/** @throws DomainError invalid_argument */
export function parseWebhookBody(body: Uint8Array): WebhookBody {
  const value = parseJsonBody(body);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as WebhookBody;
  throw invalid('INVALID_BODY', 'body: must be a JSON object');
}

function readFlag(name: string, value: unknown, absent: boolean): boolean {
  if (value === undefined || value === null) return absent;
  if (typeof value !== 'boolean') throw invalidAttribute(name, 'must be true or false');
  return value;
}

function readName(value: unknown): string {
  const name = typeof value === 'string' ? value.trim() : '';
  if (name === '' || [...name].length > WEBHOOK.nameMax || textProblem(name))
    throw invalidAttribute('name', `must be a text of 1 to ${WEBHOOK.nameMax} characters`);
  return name;
}

/** The filter is kept as it was written; what it asks for is checked by the list of events. */
function readFilter(value: unknown): string {
  if (typeof value !== 'string') throw invalidAttribute('filter', 'must be a text');
  parseFilter(value);
  return value;
}

/** A name is resolved when something is sent; an address in the URL is checked at once. */
function readUrl(value: unknown, { allowsHttp, allowedRanges }: TargetRules): string {
  const protocols = allowsHttp ? ['https:', 'http:'] : ['https:'];
  const says = `must be a URL of at most ${WEBHOOK.urlMax} characters that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`;
  const url = typeof value === 'string' && value.length <= WEBHOOK.urlMax && !textProblem(value) && URL.parse(value);
  if (!url || !protocols.includes(url.protocol) || url.href.length > WEBHOOK.urlMax)
    throw invalidAttribute('url', says);
  if (url.username !== '' || url.password !== '') throw invalidAttribute('url', 'must have no user and no password');
  if (url.hash !== '') throw invalidAttribute('url', 'must have no fragment');
  const address = addressIn(url);
  if (address !== undefined && !isAllowedAddress(address, allowedRanges))
    throw invalidAttribute('url', 'must not lead to a private or reserved address');
  return url.href;
}
