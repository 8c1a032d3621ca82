import type { CallerSigner, CallOptions } from '@catchment/grpc';
import { sessionHash } from '../../domain/session.ts';
import { HttpProblem } from '../response/problem.ts';
import type { ApiCall } from './api-call.ts';

/**
 * Returns the session that has authenticated a request.
 * @throws HttpProblem 403 with a key: it must not act for the person beyond its account
 */
export function requireSession({ session }: ApiCall): string {
  if (session === undefined)
    throw new HttpProblem(403, 'SESSION_NEEDED', { message: 'Not permitted: sign in as the person instead' });
  return session;
}

/** Makes an operation for people who are signed in. */
export const forPeople =
  <A>(answer: (call: ApiCall) => Promise<A>) =>
  async (call: ApiCall): Promise<A> => {
    requireSession(call);
    return answer(call);
  };

/** Options of calls about the person behind the session, whatever the account. */
export async function personCall(
  call: ApiCall,
  signer: CallerSigner,
): Promise<{ readonly sessionSha256: Buffer; readonly options: CallOptions }> {
  const sessionSha256 = sessionHash(requireSession(call));
  const token = await signer.sign({ kind: 'service', service: 'gateway' });
  return { sessionSha256, options: { ...call.options, token } };
}
