import type { ConsoleStart } from '@catchment/dashboard-view';
import { signal } from '@preact/signals';

let read: ConsoleStart | undefined;

/** Reads who is signed in, and the account of the address, as the server wrote them into the page. */
export function start(): ConsoleStart {
  read ??= JSON.parse(document.getElementById('start')!.textContent) as ConsoleStart;
  return read;
}

/** Each change carries this token. A new sign-in brings another one. */
let csrf: string | undefined;
export const csrfToken = (): string => csrf ?? start().csrf;

type Standing = ConsoleStart['account']['standing'];
const heardStanding = signal<Standing | undefined>(undefined);
/** Returns the person's standing in the account, as it was heard of last. */
export const standing = (): Standing => heardStanding.value ?? start().account.standing;

/** The person is as the page began, and as the profile was saved since. */
const person = signal<ConsoleStart['person'] | undefined>(undefined);
export const me = (): ConsoleStart['person'] => person.value ?? start().person;
export const changePerson = (changed: Partial<ConsoleStart['person']>): void => {
  person.value = { ...me(), ...changed };
};

/** The signal is set while the session is over: requests wait, and the page asks for the password over what is shown. */
export const isSessionOver = signal(false);
/** The signal is set when the account of the address is lost: 'disabled', or access was taken away. */
export const lostAccount = signal<'none' | 'disabled' | 'access'>('none');

let back = Promise.withResolvers<void>();
type SignedIn = { readonly userId: string; readonly csrfToken: string };
type Session = SignedIn & { readonly accounts: readonly { readonly _id: string; readonly standing: Standing }[] };

let channel: BroadcastChannel | undefined;

/** Notifies other tabs that somebody is signed in here, and is notified by them: a sign-in in one is one in all. */
export function shareSession(): void {
  channel ??= new BroadcastChannel('catchment-session');
  channel.postMessage({ userId: start().person.id, csrfToken: csrfToken() } satisfies SignedIn);
  channel.addEventListener('message', ({ data }: MessageEvent<SignedIn>) => take(data));
}

function take({ userId, csrfToken: token }: SignedIn): void {
  if (userId !== start().person.id) {
    // The page shows things of somebody else.
    location.reload();
    return;
  }
  csrf = token;
  if (!isSessionOver.peek()) return;
  isSessionOver.value = false;
  back.resolve();
  back = Promise.withResolvers();
}

/** Resolves once the person has signed in again. */
export async function signedInAgain(signal: AbortSignal): Promise<void> {
  isSessionOver.value = true;
  const left = Promise.withResolvers<never>();
  const leave = () => left.reject(signal.reason);
  signal.addEventListener('abort', leave, { once: true });
  try {
    await Promise.race([back.promise, left.promise]);
  } finally {
    signal.removeEventListener('abort', leave);
  }
}

/** Asks who is signed in now, and whether the account of the address is still the person's. @returns whether the token is another one */
export async function readSession(): Promise<boolean> {
  const response = await fetch('/api/v1/users/me/session', { headers: { 'X-Account': start().account.id } });
  if (response.status === 403) lostAccount.value = 'access';
  if (response.status === 401) isSessionOver.value = true;
  if (!response.ok) return false;
  const before = csrfToken();
  const answer = (await response.json()) as Session;
  heardStanding.value = answer.accounts.find(({ _id }) => _id === start().account.id)?.standing;
  take(answer);
  return csrfToken() !== before;
}

const CHECKED_EACH_MS = 10_000;
const CHECKED_AT_ONCE_MS = 500;
const LOOKED_EACH_MS = 60_000;
let checkedMs = Number.NEGATIVE_INFINITY;

/** Asks whether the account is still the person's, when something was refused: at most each ten seconds. */
export async function checkAccess(eachMs = CHECKED_EACH_MS): Promise<void> {
  const now = performance.now();
  if (now - checkedMs < eachMs) return;
  checkedMs = now;
  // The caller gets the refusal itself.
  await readSession().catch(() => undefined);
}

/** Looks at once: a stream that ends, or begins anew, may do so because rights have changed. */
export const checkAccessNow = (): Promise<void> => checkAccess(CHECKED_AT_ONCE_MS);

/** Looks now and then, for what no stream reports. */
export function watchAccess(): void {
  setInterval(() => {
    if (document.visibilityState === 'visible' && lostAccount.peek() === 'none') void checkAccess();
  }, LOOKED_EACH_MS);
}

/** Signs the same person in again. @returns the refusal; undefined: it is done */
export async function signInAgain(
  password: string,
): Promise<{ readonly reason?: string; message: string } | undefined> {
  const { person, account } = start();
  const response = await fetch('/auth/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ email: person.email, password, account: account.id }),
  });
  const answer = await response.json();
  if (!response.ok) return answer.error ?? { message: '' };
  take(answer);
  channel?.postMessage({ userId: answer.userId, csrfToken: answer.csrfToken } satisfies SignedIn);
  return undefined;
}
