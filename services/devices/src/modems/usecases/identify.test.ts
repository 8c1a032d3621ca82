import { createLogger } from '@catchment/telemetry';
import { type IdentifyDeps, identify } from './identify.ts';

const IDENT = { deviceKey: '490154203237518', secret: undefined, session: '', software: {} };
const DEVICE = { deviceId: 'd', datasourceId: 's', deviceKey: IDENT.deviceKey };
const ACCEPTED = { device: DEVICE, sources: [{}], session: 'c', ackedSeq: 0 };

type Client = {
  readonly ident: typeof IDENT | undefined;
  /** Undefined: too many of the address wait. */
  readonly waitMs: number | undefined;
  readonly isKnown: boolean;
  /** The address had too many failures before this one. */
  readonly isOverLimit: boolean;
  readonly isStopping: boolean;
};
const GOOD: Client = { ident: IDENT, waitMs: 0, isKnown: true, isOverLimit: false, isStopping: false };

/** What a client is answered, and what was done for it. */
async function identified({ ident, waitMs, isKnown, isOverLimit, isStopping }: Client) {
  const done: string[] = [];
  const deps = {
    log: createLogger('test', { level: 'silent' }),
    failedIdents: {
      delayMs: () => waitMs,
      failed: () => done.push('failed') > 0 && isOverLimit,
      succeeded: () => done.push('succeeded'),
    },
    roundRobin: { take: async () => () => {} },
    refusalMs: 0,
    now: () => 0,
    store: {
      findUnsecured: async () => done.push('looked up') > 0 && isKnown && { device: DEVICE },
      transaction: async () => ACCEPTED,
    },
  } as unknown as IdentifyDeps;
  const signal = isStopping ? AbortSignal.abort() : new AbortController().signal;
  const about = { what: 'modem', connectionId: 'c', address: '192.0.2.1', noIdent: 'no identification' } as const;
  return { result: await identify(deps, ident, { ...about, signal }), done };
}

const refusal = (reason: string) => ({ refusal: reason });

test.each<readonly [string, Partial<Client>, object, readonly string[]]>([
  ['a modem that is known is accepted', {}, ACCEPTED, ['looked up', 'succeeded']],
  ['one that has waited for its turn is accepted', { waitMs: 1 }, ACCEPTED, ['looked up', 'succeeded']],
  ['one that is unknown is refused', { isKnown: false }, refusal('REFUSED'), ['looked up', 'failed']],
  ['a client that does not identify itself is refused', { ident: undefined }, refusal('BAD_IDENT'), ['failed']],
  [
    'after too many failures the reason is not said any more',
    { isKnown: false, isOverLimit: true },
    refusal('TOO_MANY_FAILURES'),
    ['looked up', 'failed'],
  ],
  ['where too many wait nothing is checked', { waitMs: undefined }, refusal('TOO_MANY_FAILURES'), []],
  [
    'a process that stops checks nobody who still waits',
    { waitMs: 60_000, isStopping: true },
    refusal('RESTARTING'),
    [],
  ],
])('%s', async (_what, client, result, done) => {
  expect(await identified({ ...GOOD, ...client })).toEqual({ result, done });
});
