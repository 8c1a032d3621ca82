import {
  checkAccess,
  checkAccessNow,
  csrfToken,
  lostAccount,
  readSession,
  signedInAgain,
  start,
} from '../session/session.ts';
import { heard, lostStream } from '../streams/connection.ts';
import { takeBegun } from './begun.ts';

/** Sends a request of the person in the account of the address; one that finds the session over waits for a new one. */
export async function send(request: Request): Promise<Response> {
  const isStream = request.headers.get('accept') === 'text/event-stream';
  const response = await inSession((session) => {
    const headers = new Headers(request.headers);
    for (const [name, value] of Object.entries(session)) headers.set(name, value);
    const begun = takeBegun(request);
    if (begun) return begun;
    // A body may have to be sent again.
    return fetch(request.body === null ? request : request.clone(), { headers }).catch((error: unknown) => {
      if (isStream && !request.signal.aborted) lostStream();
      throw error;
    });
  }, request.signal);
  return isStream && response.ok ? heard(response, () => void checkAccessNow()) : response;
}

/** Asks with the headers of the session, and again with those of a new one where it is over. */
export async function inSession(
  ask: (session: Readonly<Record<string, string>>) => Promise<Response>,
  signal: AbortSignal,
): Promise<Response> {
  for (;;) {
    const token = csrfToken();
    const response = await ask({ 'X-CSRF-Token': token, 'X-Account': start().account.id });
    if (response.status === 401) {
      await signedInAgain(signal);
      continue;
    }
    if (response.status === 403) {
      const reason = await reasonOf(response);
      // A page that was not notified has signed in meanwhile.
      if (reason === 'CSRF_TOKEN_NEEDED' && (csrfToken() !== token || (await readSession()))) continue;
      if (reason === 'ACCOUNT_DISABLED') lostAccount.value = 'disabled';
      // Either this alone is not permitted, or the account is lost.
      if (reason === 'NOT_PERMITTED') await checkAccess();
    }
    return response;
  }
}

const reasonOf = async (response: Response): Promise<string | undefined> =>
  response
    .clone()
    .json()
    .then(
      (body) => body?.error?.reason,
      () => undefined,
    );
