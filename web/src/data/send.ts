import { heard, lostStream } from './connection.ts';
import { takeFirst } from './first-requests.ts';
import { checkAccess, checkAccessNow, csrfToken, lostAccount, readSession, signedInAgain, start } from './session.ts';

/** Sends a request of the person in the account of the address; one that finds the session over waits for a new one. */
export async function send(request: Request): Promise<Response> {
  for (;;) {
    const token = csrfToken();
    const headers = new Headers(request.headers);
    headers.set('X-CSRF-Token', token);
    headers.set('X-Account', start().account.id);
    const isStream = headers.get('accept') === 'text/event-stream';
    const asked = takeFirst(request) ?? fetch(new Request(request.clone(), { headers }));
    const response = await asked.catch((error: unknown) => {
      if (isStream && !request.signal.aborted) lostStream();
      throw error;
    });
    if (response.status === 401) {
      await signedInAgain(request.signal);
      continue;
    }
    if (response.status === 403) {
      const reason = await reasonOf(response);
      // A page that was not told has signed in meanwhile.
      if (reason === 'CSRF_TOKEN_NEEDED' && (csrfToken() !== token || (await readSession()))) continue;
      if (reason === 'ACCOUNT_DISABLED') lostAccount.value = 'disabled';
      // Either this alone is not permitted, or the account is lost.
      if (reason === 'NOT_PERMITTED') await checkAccess();
    }
    return isStream && response.ok ? heard(response, () => void checkAccessNow()) : response;
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
