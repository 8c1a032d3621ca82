import { API_SCHEMAS } from '@catchment/contracts/api-schemas';
import { ACCESS_LIST, SECURITY_NOTIFY, SUBSCRIBERS } from '@catchment/query';
import { ACCEPTED, ACCESS_FAILURE, json, objectId, operation } from '../openapi/parts.ts';

const tag = 'Security and notifications';
const user = { type: 'string', description: 'E-mail.', examples: ['jo@example.org'] } as const;
const group = { type: 'string', description: 'Name of a group of the account.', examples: ['Field crew'] } as const;
const { role: givenRole, expiryTime: givenEnd } = API_SCHEMAS.access;
const role = { ...givenRole, description: 'Name of a role of the account, any letter case.', examples: ['Operate'] };
const shownRole = {
  type: 'string',
  description: 'Name of a role; empty where a person has access by groups alone.',
  examples: ['Operate'],
};
const permissions = { type: 'array', items: { type: 'string' }, examples: [['VIEW', 'CONTROL']] } as const;
const expiryTime = {
  ...givenEnd,
  type: ['string', 'null'],
  description: 'When access ends; null = it does not end; absent in an update = as before.',
};
const { name } = API_SCHEMAS.userProfile.properties;
const CATEGORIES = { ...API_SCHEMAS.preferences, examples: [[{ category: 'Critical', email: true, sms: false }]] };
const object = (properties: object) => ({ type: 'object', properties });
const list = (properties: object) => ({ type: 'array', items: object(properties) });

const contact = {
  name,
  contact: object({ email: { type: 'string' } }),
  account: object({ lastLoginTime: { type: ['string', 'null'], format: 'date-time' } }),
};
const NAMED = {
  ...object({ users: list({ user }), groups: list({ group }) }),
  examples: [{ users: [{ user: 'jo@example.org' }], groups: [{ group: 'Field crew' }] }],
};
const members = list({ user });
const STATUS = object({ code: { type: 'integer' }, message: { type: 'string' } });
const profileActivateUrl = { type: 'string', description: 'Of a profile that the request has made.' } as const;
const entries = list({ user, group, role: shownRole, permissions, users: members, expiryTime, profileActivateUrl });
const granted = object({ added: entries, updated: entries });

export const getSecurity = operation({
  id: 'getSecurity',
  tag,
  summary: 'List who has access',
  description:
    'Owner, administrators, and the users and groups of the Workspace. On another node `No Access` stands where it is set there; what is inherited is not shown. `effectivePermissions` is given where groups add to a user’s own permissions.',
  withId: true,
  success: json(
    200,
    'Users and groups.',
    object({
      users: list({ ...contact, role: shownRole, permissions, effectivePermissions: permissions, expiryTime }),
      groups: list({ group, role: shownRole, permissions, users: members, expiryTime }),
    }),
  ),
});

const entry = { role: shownRole, permissions, expiryTime };

export const listAccess = operation({
  id: 'listAccess',
  tag,
  summary: 'List who has access to which Workspace',
  description:
    'Of the Workspaces that the caller may see, in the order of their names. An answer has at most 10 000 entries: Workspaces behind them come with the next page.',
  query: ACCESS_LIST,
  success: json(
    200,
    'Everybody once, groups with their members, and the entries of each Workspace.',
    object({
      people: list({
        ...contact,
        role: {
          type: ['string', 'null'],
          enum: ['OWNER', 'ADMINISTRATOR', null],
          description: 'Of those who may do everything.',
        },
      }),
      groups: list({
        _id: { ...objectId, description: 'To level ACCOUNT.' },
        group,
        users: list({ user }),
      }),
      workspaces: list({
        _id: objectId,
        name: { type: 'string' },
        permissions: { ...permissions, description: 'What the caller may do there.' },
        users: list({ user, ...entry }),
        groups: list({ group, ...entry }),
      }),
      next: {
        type: ['integer', 'null'],
        description: 'The argument `skip` of the next page; null = this is the last.',
      },
    }),
  ),
  extension: true,
});

const was = {
  ...object({ role: shownRole, expiryTime }),
  type: ['object', 'null'],
  description:
    'On a Workspace, the access that the entry is to take the place of, as it was read; null = none. Where it is another by now, nothing is changed: 412. Absent = any.',
  'x-extension': true,
};

export const grantAccess = operation({
  id: 'grantAccess',
  tag,
  summary: 'Give users and groups access',
  description:
    'Needs MODIFY; a workspace user needs SECURITY. On a Workspace: a role for each user and group; people without a profile get one, and `profileActivateUrl` is shown this once. On another node: only the role `No Access`, for users and groups of its Workspace. All or nothing.',
  withId: true,
  query: SECURITY_NOTIFY,
  body: {
    ...object({
      users: list({
        user,
        role,
        expiryTime,
        was,
        ...API_SCHEMAS.userProfile.properties,
        notificationCategories: CATEGORIES,
      }),
      groups: list({ group, role, expiryTime, was }),
    }),
    examples: [
      { users: [{ user: 'jo@example.org', role: 'Operate' }], groups: [{ group: 'Field crew', role: 'View' }] },
    ],
  },
  success: json(200, 'Who is new, and who was there before.', granted),
  others: ACCESS_FAILURE,
});

export const revokeAccess = operation({
  id: 'revokeAccess',
  tag,
  summary: 'Take access from users and groups',
  description:
    'Needs MODIFY; a workspace user needs SECURITY. On another node than a Workspace: lifts `No Access`. Whoever is not listed there is passed over, as are owner and administrators.',
  withId: true,
  query: SECURITY_NOTIFY,
  body: NAMED,
  success: json(200, 'Who was removed.', object({ removed: list({ user, group }) })),
});

const person = { ...contact, notificationCategories: CATEGORIES };

export const getNotifications = operation({
  id: 'getNotifications',
  tag,
  summary: 'List who is subscribed to notifications',
  withId: true,
  query: SUBSCRIBERS,
  success: json(
    200,
    'Users and groups with their preferences in the Workspace.',
    object({ users: list(person), groups: list({ group, users: list(person) }) }),
  ),
});

export const getOwnNotifications = operation({
  id: 'getOwnNotifications',
  tag,
  summary: 'List what the person is notified of',
  description:
    'For people who are signed in; 403 with an API key. Of the account that the request is for: nodes that the person is subscribed to, by Workspace, at most 1000.',
  success: json(
    200,
    'Workspaces in the order of their names.',
    object({
      workspaces: list({
        _id: objectId,
        name: { type: 'string' },
        permissions: { ...permissions, description: 'What the person may do there.' },
        notificationCategories: CATEGORIES,
        nodes: list({
          _id: objectId,
          _class: { type: 'string' },
          name: { type: 'string' },
          path: { type: 'string', description: 'Names from the Workspace down, parted by `/`.' },
          isOwn: { type: 'boolean', description: 'Subscribed by the person.' },
          groups: { type: 'array', items: { type: 'string' }, description: 'Subscribed groups that the person is in.' },
          isStopped: { type: 'boolean', description: 'The person has stopped the mails of this report.' },
        }),
      }),
      hasMore: { type: 'boolean', description: 'There are more nodes.' },
    }),
  ),
  extension: true,
  security: [{ session: [] }],
});

export const setPreferences = operation({
  id: 'setPreferences',
  tag,
  summary: 'Set how people are notified',
  description:
    'Needs MODIFY; a workspace user needs MANAGE_NOTIFICATIONS for others. Holds for the whole Workspace. Only what is sent changes; unknown categories are passed over.',
  withId: true,
  body: object({ users: list({ user, notificationCategories: CATEGORIES }) }),
  success: json(
    200,
    'All preferences of these users.',
    object({ users: list({ user, notificationCategories: CATEGORIES }) }),
  ),
});

export const sendMessage = operation({
  id: 'sendMessage',
  tag,
  summary: 'Write to people',
  description:
    'Needs MODIFY; a workspace user needs SEND_MESSAGE. Users by e-mail or id, groups by name or id: users who may see the node, and those members of the groups who may. `message` may hold expressions, which are evaluated for each reader. Preferences do not matter; an SMS needs a phone number. One wrong entry is 400, and nothing is sent.',
  withId: true,
  body: {
    ...API_SCHEMAS.writtenMessage,
    examples: [
      {
        users: ['jo@example.org'],
        groups: ['Field crew'],
        message: '{{ THIS.name }} is at {{ THIS.currentValue }}',
        channels: ['email', 'sms'],
      },
    ],
  },
  success: json(202, 'To how many people it goes, by channel.', {
    ...object({ status: STATUS, email: { type: 'integer' }, sms: { type: 'integer' } }),
  }),
});

export const previewMessage = operation({
  id: 'previewMessage',
  tag,
  summary: 'See what a text with expressions says now',
  description:
    'Needs MODIFY; a workspace user needs EDIT_ALARMS or SEND_MESSAGE. Nothing is sent. Evaluated with the values of this moment, in the zone and time format of the caller, as if the node had just entered `state`.',
  withId: true,
  body: {
    ...API_SCHEMAS.previewedMessage,
    examples: [{ message: '{{ THIS.name }} is at {{ THIS.currentValue }}', state: 'HIGH' }],
  },
  success: json(
    200,
    'The text, empty where it cannot be evaluated, and why.',
    object({ text: { type: 'string' }, problem: { type: ['string', 'null'] } }),
  ),
});

export const subscribe = operation({
  id: 'subscribe',
  tag,
  summary: 'Subscribe users and groups',
  description:
    'Locations, sources, parameters and reports. Needs MODIFY; a workspace user needs SUBSCRIBE_NOTIFICATIONS, and MANAGE_NOTIFICATIONS for others.',
  withId: true,
  body: NAMED,
  success: ACCEPTED,
});

export const unsubscribe = operation({
  id: 'unsubscribe',
  tag,
  summary: 'Unsubscribe users and groups',
  description: 'As subscribe. A subscription of a group stays when one of its users is unsubscribed.',
  withId: true,
  body: NAMED,
  success: ACCEPTED,
});
