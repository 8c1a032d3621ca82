import { call } from '../requests/call.ts';
import { unlessOvertaken } from '../requests/overtaken.ts';
import { type Course, oneByOne } from '../requests/send-again.ts';

/** docs/reference/events.md#webhooks */
export type WebhookSettings = {
  readonly name: string;
  readonly url: string;
  readonly filter: string;
  readonly enabled: boolean;
};
export type Try = {
  readonly time: string;
  readonly durationMs: number;
  readonly statusCode?: number;
  readonly error?: string;
  readonly answer?: string;
};
export type Webhook = WebhookSettings & {
  readonly _id: string;
  readonly revision: number;
  readonly createdTime: string;
  readonly disabledReason?: 'FAILURES' | 'GONE';
  readonly failures: number;
  readonly eventsWait: boolean;
  readonly lastTry?: Try;
  readonly previousSecretUntil?: string;
};
export type WithSecret = Webhook & { readonly secret: string };
export type Delivery = {
  readonly _id: string;
  readonly kind: 'EVENTS' | 'TEST';
  readonly status: 'PENDING' | 'DELIVERED' | 'FAILED';
  readonly eventCount: number;
  readonly createdTime: string;
  readonly nextTryTime?: string;
  readonly tries: readonly Try[];
};

export const MOST_WEBHOOKS = 20;
/** The server keeps no more of them. */
export const MOST_DELIVERIES = 1_000;

const ALL = '/owners/account/webhooks';
const address = (id: string, rest = ''): `/${string}` => `${ALL}/${encodeURIComponent(id)}${rest}`;

export const listWebhooks = (): Promise<readonly Webhook[]> => call('GET', ALL);
export const createWebhook = (settings: WebhookSettings): Promise<WithSecret> => call('POST', ALL, { body: settings });

const now = async (id: string): Promise<Webhook | undefined> => (await listWebhooks()).find(({ _id }) => _id === id);

/** @param base as it was when somebody began @throws Overtaken */
export const updateWebhook = ({ _id: id, revision }: Webhook, change: Partial<WebhookSettings>): Promise<Webhook> =>
  unlessOvertaken(
    () => call<Webhook>('PUT', address(id), { body: change, ifMatch: revision }),
    () => now(id),
    'webhook',
  );

/** Pauses or resumes. @param skipWaiting leaves out what waits */
export const enableWebhook = (id: string, enabled: boolean, skipWaiting = false): Promise<Webhook> =>
  call('PUT', address(id), { body: { enabled, ...(skipWaiting && { skipWaiting }) } });

/** @throws Overtaken */
export const deleteWebhook = ({ _id: id, revision }: Webhook): Promise<unknown> =>
  unlessOvertaken(
    () => call('DELETE', address(id), { ifMatch: revision }),
    () => now(id),
    'webhook',
  );
export const changeSecret = (id: string): Promise<WithSecret> => call('POST', address(id, '/secret'));
export const testWebhook = (id: string): Promise<Delivery> => call('POST', address(id, '/test'));

/** Newest first. */
export const listDeliveries = (
  id: string,
  query: { readonly limit?: number; readonly status?: Delivery['status'] } = {},
  signal?: AbortSignal,
): Promise<readonly Delivery[]> => call('GET', address(id, '/deliveries'), { query, ...(signal && { signal }) });

export const redeliver = (id: string, deliveryId: string): Promise<Delivery> =>
  call('POST', address(id, `/deliveries/${encodeURIComponent(deliveryId)}/redeliver`));

const WAIT_MS = 1_000;

/** Sends all that failed again, the oldest first, each once. @returns how many are on their way */
export async function redeliverFailed(id: string, course: Course): Promise<number> {
  const failed = await listDeliveries(id, { limit: MOST_DELIVERIES, status: 'FAILED' });
  return oneByOne(failed.map(({ _id }) => _id).toReversed(), (deliveryId) => redeliver(id, deliveryId), {
    ...course,
    wait: () => new Promise((resolve) => setTimeout(resolve, WAIT_MS)),
  });
}
