import { SignJWT } from 'jose';
import { CallerSigner, CallerVerifier } from './index.ts';

const SECRET = 's'.repeat(48);
const CALLER = { kind: 'service', service: 'historic' } as const;
const signed = (secret: string, expires: string): Promise<string> =>
  new SignJWT({ caller: CALLER })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuer('catchment')
    .setExpirationTime(expires)
    .sign(new TextEncoder().encode(secret));

test('a caller is who was signed', async () => {
  expect(await new CallerVerifier(SECRET).verify(await new CallerSigner(SECRET).sign(CALLER))).toEqual(CALLER);
});

/** The gateway shows the former as 503 and the latter as 500: a request that has waited for long is no fault. */
test.each([
  [
    'was signed too long ago, as by work that waited or by another clock',
    SECRET,
    '1 second ago',
    'unavailable',
    'CALLER_EXPIRED',
  ],
  ['was signed with another secret', 't'.repeat(48), '2 minutes', 'unauthenticated', 'CALLER_NOT_AUTHENTICATED'],
  [
    'was signed with another secret, and long ago',
    't'.repeat(48),
    '1 second ago',
    'unauthenticated',
    'CALLER_NOT_AUTHENTICATED',
  ],
])('a caller that %s is refused', async (_what, secret, expires, kind, reason) => {
  await expect(new CallerVerifier(SECRET).verify(await signed(secret, expires))).rejects.toMatchObject({
    kind,
    reason,
  });
});
