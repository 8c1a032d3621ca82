import { json, operation, SEE_OTHER, UNCHANGED } from '../openapi/parts.ts';

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

const INVITATION_ID = "The 24 hex characters of the invitation's `_id`.";
const SESSION = [{ session: [] }];
const FOR_SESSIONS = 'For people who are signed in; 403 with an API key.';

export const getSession = operation({
  id: 'getSession',
  tag,
  summary: 'Show the session of the browser',
  description: `${FOR_SESSIONS} What a page of Catchment has to know to use the API: the token that changes carry in \`X-CSRF-Token\`, the accounts of the person, and what the person may do in the one that the request is for. That is the one named by the header \`X-Account\` or the argument \`account\` (its \`_id\`), or else the one that the session works in.`,
  success: json(200, 'The session.', {
    type: 'object',
    required: ['userId', 'username', 'csrfToken', 'ownerId', 'grants', 'accounts'],
    properties: {
      userId: { type: 'string' },
      username: { type: 'string', description: 'The e-mail.' },
      csrfToken: { type: 'string' },
      ownerId: { type: 'string', description: 'The account that the request is for.' },
      grants: {
        description: 'What a workspace user may do, and where; null: everything.',
        anyOf: [
          { type: 'null' },
          {
            type: 'array',
            items: {
              type: 'object',
              required: ['permissions', 'workspaceIds'],
              properties: {
                permissions: { type: 'array', items: { type: 'string' } },
                workspaceIds: { type: 'array', items: { type: 'string' } },
              },
            },
          },
        ],
      },
      accounts: {
        type: 'array',
        description: 'At most 500, those first where the person stands highest.',
        items: {
          type: 'object',
          required: ['_id', 'accountName', 'slug', 'standing', 'status'],
          properties: {
            _id: { type: 'string' },
            accountName: { type: 'string' },
            slug: { type: 'string', description: 'Names the account in addresses of pages.' },
            standing: { type: 'string', enum: ['OWNER', 'ADMINISTRATOR', 'MANAGER', 'USER'] },
            status: { type: 'string', enum: ['ACTIVE', 'DISABLED'] },
          },
        },
      },
    },
  }),
  extension: true,
  security: SESSION,
});

export const listInvitations = operation({
  id: 'listInvitations',
  tag,
  summary: 'List what other accounts have given to the person',
  description: `${FOR_SESSIONS} None of it has begun: each is accepted or declined. Empty until the e-mail is proven: by any link that was mailed to it.`,
  success: json(200, 'The invitations.', {
    type: 'array',
    items: {
      type: 'object',
      properties: {
        _id: { type: 'string', description: 'Names the invitation to the two operations below.' },
        ownerId: { type: 'string' },
        accountName: { type: 'string' },
        slug: { type: 'string' },
        standing: { type: 'string', enum: ['OWNER', 'ADMINISTRATOR', 'USER'] },
        createdTime: { type: 'string', format: 'date-time' },
      },
    },
  }),
  extension: true,
  security: SESSION,
});

export const acceptInvitation = operation({
  id: 'acceptInvitation',
  tag,
  summary: 'Accept what an account has given',
  description: `${FOR_SESSIONS} Access begins at once, and the account sees the person's own profile from now on.`,
  withId: INVITATION_ID,
  success: json(200, 'Accepted.', { $ref: 'Status#' }, { status: { code: 200, message: 'Success' } }),
  extension: true,
  security: SESSION,
});

export const declineInvitation = operation({
  id: 'declineInvitation',
  tag,
  summary: 'Decline what an account has given',
  description: `${FOR_SESSIONS} The account has nobody by this e-mail any more. 400 for the ownership of an account.`,
  withId: INVITATION_ID,
  success: json(200, 'Declined.', { $ref: 'Status#' }, { status: { code: 200, message: 'Success' } }),
  extension: true,
  security: SESSION,
});

export const listSignIns = operation({
  id: 'listSignIns',
  tag,
  summary: 'List how the person came in lately',
  description: `${FOR_SESSIONS} Of all accounts; the newest 50, those whose session has ended for 90 days.`,
  success: json(200, 'The newest first.', {
    type: 'array',
    items: {
      type: 'object',
      required: ['_id', 'time', 'way', 'clientAddress', 'userAgent', 'isCurrent'],
      properties: {
        _id: { type: 'string', description: 'Names the sign-in to the operation below.' },
        time: { type: 'string', format: 'date-time' },
        way: { type: 'string', enum: ['password', 'link'], description: 'By a password, or by a link that sets one.' },
        clientAddress: { type: 'string', description: 'Where it came from; of IPv6 the network. Empty: not known.' },
        userAgent: { type: 'string', description: 'What the browser says of itself. Empty: nothing.' },
        lastUsedTime: {
          type: 'string',
          format: 'date-time',
          description: 'Of a session that goes on: its last use, up to a minute late. Absent: it has ended.',
        },
        expiresTime: { type: 'string', format: 'date-time', description: 'When it ends, used or not.' },
        isCurrent: { type: 'boolean', description: 'The session that asks.' },
      },
    },
  }),
  extension: true,
  security: SESSION,
});

export const endSignIn = operation({
  id: 'endSignIn',
  tag,
  summary: 'End a session of the person',
  description: `${FOR_SESSIONS} What it has signed in stops working within 5 seconds. 404: the person has no such session, or it has ended.`,
  withId: "The 24 hex characters of the sign-in's `_id`.",
  success: json(200, 'Ended.', { $ref: 'Status#' }, { status: { code: 200, message: 'Success' } }),
  extension: true,
  security: SESSION,
});

const KEPT = 'Of the person and the account that the request is for; nobody else sees it.';
const KEY = {
  type: 'object',
  properties: {
    preference: {
      type: 'string',
      pattern: '^[a-z][A-Za-z0-9._-]{0,63}$',
      description: 'The key.',
      examples: ['table.alarms.columns'],
    },
  },
};
const VALUE = { description: 'JSON of any kind, at most 16 KiB.', examples: [['name', 'currentValue']] };

export const listPreferences = operation({
  id: 'listPreferences',
  tag,
  summary: 'Show what the person has kept',
  description: `${FOR_SESSIONS} ${KEPT}`,
  success: json(200, 'Values by key.', { type: 'object', additionalProperties: VALUE }),
  others: UNCHANGED,
  extension: true,
  security: SESSION,
});

export const getPreference = operation({
  id: 'getPreference',
  tag,
  summary: 'Show one thing that the person has kept',
  description: `${FOR_SESSIONS} ${KEPT} 404: it was never set.`,
  params: KEY,
  success: json(200, 'The value.', VALUE),
  others: UNCHANGED,
  extension: true,
  security: SESSION,
});

export const putPreference = operation({
  id: 'putPreference',
  tag,
  summary: 'Keep something for the person',
  description: `${FOR_SESSIONS} ${KEPT} Such as chosen columns: JSON of any kind, at most 16 KiB, under at most 100 keys.`,
  params: KEY,
  body: VALUE,
  success: json(200, 'The value as it is kept.', VALUE),
  extension: true,
  security: SESSION,
});

export const deletePreference = operation({
  id: 'deletePreference',
  tag,
  summary: 'Forget something of the person',
  description: `${FOR_SESSIONS} 404: it was never set.`,
  params: KEY,
  success: json(200, 'Forgotten.', { $ref: 'Status#' }, { status: { code: 200, message: 'Success' } }),
  extension: true,
  security: SESSION,
});
