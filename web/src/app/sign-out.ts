import { csrfToken } from '../data/session/session.ts';

export async function signOut(): Promise<void> {
  await fetch('/auth/logout', {
    method: 'POST',
    headers: { 'X-CSRF-Token': csrfToken(), accept: 'application/json', 'content-type': 'application/json' },
    body: '{}',
  });
  location.assign('/auth/login?done=out');
}
