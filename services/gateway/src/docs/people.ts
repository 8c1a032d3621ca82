import { json, operation, SEE_OTHER } from './parts.ts';

const tag = 'People';

export const signIn = operation({
  id: 'signIn',
  tag,
  summary: 'Sign in',
  description:
    'Answers with a session cookie. Requests to the API may carry it in place of a key: they do what the person may do in the account. A change must carry `csrfToken` in the header `X-CSRF-Token`. 401: e-mail or password is wrong; 429: too many attempts.',
  body: {
    type: 'object',
    required: ['email', 'password'],
    properties: {
      email: { type: 'string', description: 'E-mail address, any letter case.' },
      password: { type: 'string' },
      account: { type: 'string', description: 'Id or slug of the account to work in. Default: the first one.' },
    },
    examples: [{ email: 'jo@example.org', password: 'four words of your own' }],
  },
  success: json(200, 'Signed in.', {
    type: 'object',
    properties: {
      userId: { type: 'string' },
      username: { type: 'string' },
      ownerId: { type: 'string', description: 'The account; absent when the person has access to none.' },
      csrfToken: { type: 'string' },
      expiresTime: { type: 'string', format: 'date-time' },
    },
  }),
  others: SEE_OTHER,
  extension: true,
  security: [],
});

export const signOut = operation({
  id: 'signOut',
  tag,
  summary: 'Sign out',
  description:
    'Ends the session of the cookie; `X-CSRF-Token` as for any change. Without a session it does nothing. Programs send or accept `application/json`; whoever does neither is sent on to a page.',
  success: json(200, 'Signed out.', { $ref: 'Status#' }, { status: { code: 200, message: 'Success' } }),
  others: SEE_OTHER,
  extension: true,
  security: [{ session: [] }],
});
