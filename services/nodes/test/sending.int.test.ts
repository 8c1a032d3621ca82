import { RetryAfter } from '@catchment/bus';
import { envReader } from '@catchment/config';
import { AlarmChanged } from '@catchment/contracts/alarms';
import { DeviceCallDue } from '@catchment/contracts/devices';
import { EventRecorded, Transition } from '@catchment/contracts/events';
import { AlarmTextDue, type NotificationDue } from '@catchment/contracts/nodes-messages';
import { smtpSender } from '@catchment/mail';
import {
  HANGS_AFTER_MS,
  type TestMailServer,
  type TestSmsServer,
  testMailServer,
  testSmsServer,
  until,
} from '@catchment/testkit';
import { httpSmsSender } from '../src/sending/clients/http-sms-sender.ts';
import { readSmsSettings } from '../src/sending/clients/sms-settings.ts';
import { monthOf } from '../src/sending/domain/sms-limit.ts';
import {
  callDevice,
  evaluateAlarmText,
  forgetSent,
  sendNotification,
  startSending,
  takeTransitions,
} from '../src/sending/index.ts';
import { recipientsOf } from '../src/sending/store/recipients-query.ts';
import { emailChannel, smsChannel } from '../src/sending/usecases/channels.ts';
import type { SmsSender } from '../src/sending/usecases/sms-sender.ts';
import { decodeAlarms } from '../src/values/bus/decode-alarms.ts';
import { applyAlarms, applyBatches } from '../src/values/index.ts';
import { decoded, number, written } from './applied.ts';
import { type Fixture, type Json, openFixture } from './fixture.ts';
import { type OwnerClient, ownerClient } from './owner-client.ts';
import { newEmail, peopleClient, sendMails, tokenOf } from './people-client.ts';
import { type SecurityClient, securityClient } from './security-client.ts';

let f: Fixture;
let server: TestMailServer;
let smsServer: TestSmsServer;
let smsSender: SmsSender;
/** The sender gives up early on a gateway that says nothing. */
let hastySender: SmsSender;
let sender: ReturnType<typeof smtpSender>;
let mine: Awaited<ReturnType<Fixture['account']>>;
let owner: OwnerClient;
let security: SecurityClient;
let site: { workspace: Json; location: Json; source: Json };
let level: Json;
let category: string;
let stateIds: [normal: string, high: string];
let events = 0;
let sequence = 0;

const BOTH = { email: true, sms: true };
const T = Date.parse('2024-05-15T10:47:00Z');
const STATES = (categoryId: string, more: object = {}) => [
  { name: 'NORMAL' },
  { name: 'HIGH', threshold: 5, isAlarm: true, notify: 'ALWAYS', categoryId, ...more },
];

beforeAll(async () => {
  [f, server, smsServer] = await Promise.all([openFixture(), testMailServer(), testSmsServer()]);
  const env = {
    SMS_PRESET: 'twilio',
    SMS_URL: smsServer.url,
    SMS_FROM: 'Catchment',
    SMS_USER: 'AC1',
    SMS_PASSWORD: 'x',
  };
  const settings = readSmsSettings(envReader(env))!;
  smsSender = httpSmsSender(settings);
  hastySender = httpSmsSender(settings, 300);
  sender = smtpSender({
    host: '127.0.0.1',
    port: server.port,
    security: 'off',
    login: undefined,
    from: 'Catchment <catchment@example.org>',
  });
});
afterAll(async () => {
  sender.close();
  await f.close();
  await server.close();
  await smsServer.close();
});
beforeEach(async () => {
  server.refuse(() => undefined);
  smsServer.answer(() => undefined);
  f.clock.nowMs = Date.now();
  mine = await f.account();
  owner = await ownerClient(f, mine.caller);
  security = await securityClient(f, mine.caller);
  site = await f.source(mine);
  category = (await owner.get()).categories.find(({ name }) => name === 'Critical')?._id ?? '';
  level = await mine.create('point.NumberPoint', 'Level', site.source._id, {
    units: 'm',
    format: '0.0',
    states: STATES(category),
  });
  const { states } = (await mine.get(level._id)) as unknown as { states: { _id: string }[] };
  stateIds = states.map(({ _id }) => _id) as [string, string];
});

const deps = () => ({ ...f, appUrl: 'https://api.test' });
const sendEmail = (due: NotificationDue, ageMs: number) =>
  sendNotification(deps(), emailChannel(deps(), sender), due, ageMs);

/** Makes somebody with a role in the workspace, active, who wants e-mails of the category. */
async function person(
  change: {
    role?: string;
    isActive?: boolean;
    wants?: boolean;
    sms?: boolean;
    phone?: string;
    expiryTime?: string;
  } = {},
) {
  const { role = 'View', isActive = true, wants = true, sms = false, expiryTime, phone } = change;
  const email = newEmail();
  const { added } = await security.grant(site.workspace._id, {
    users: [{ user: email, role, ...(expiryTime && { expiryTime }) }],
  });
  const profile = phone === undefined ? {} : { profile: { phone } };
  if (isActive) await peopleClient(f).use(tokenOf(added[0]?.profileActivateUrl), profile);
  if (wants || sms)
    await security.prefer(site.workspace._id, {
      users: [{ user: email, notificationCategories: [{ category: 'critical', email: wants, sms }] }],
    });
  return email;
}
const subscribe = (email: string, node: Json = level) => security.subscribe(node._id, { users: [{ user: email }] });

const stateEvent = (message = 'State changed from NORMAL to HIGH', change: Partial<EventRecorded> = {}) => {
  events += 1;
  return EventRecorded.fromPartial({
    eventId: `event-${process.pid}-${events}`,
    ownerId: mine.ownerId,
    workspaceId: site.workspace._id,
    nodeId: level._id,
    nodeClass: 'point.NumberPoint',
    level: 'INFO',
    eventType: 'STATE',
    alarmState: 'ACTIVE',
    timeMs: T,
    username: 'System',
    message,
    transition: toHigh(),
    ...change,
  });
};
const toHigh = (change: Partial<Transition> = {}): Transition =>
  Transition.fromPartial({
    alarmType: 'stateAlarm',
    alarmStateTo: 'ACTIVE',
    stateFrom: { stateId: stateIds[0] },
    stateTo: { stateId: stateIds[1] },
    ...change,
  });

/** Announces a record that has reached the store. */
async function stored(ms: number, value: number) {
  sequence += 1;
  const batch: object = { logSequence: sequence, ...written(level._id, mine.ownerId, number(ms, value)) };
  await applyBatches(
    { ...f, readEdges: async () => new Map(), acquisitionEventMs: 0 } as never,
    0,
    decoded(batch),
    AbortSignal.timeout(HANGS_AFTER_MS),
  );
}

const withSending = async <T>(work: () => Promise<T>): Promise<T> => {
  const own = smtpSender({
    host: '127.0.0.1',
    port: server.port,
    security: 'off',
    login: undefined,
    from: 'Catchment <catchment@example.org>',
  });
  const sending = startSending(f.bus, { ...deps(), mailSender: own, smsSender });
  try {
    return await work();
  } finally {
    await sending.stop();
  }
};

const mailsTo = (email: string) => server.mails.filter(({ to }) => to.includes(email));
const notificationEvents = () =>
  f.published.events.filter(({ nodeId, eventType }) => nodeId === level._id && eventType === 'NOTIFICATION');

test('a change of state reaches a subscriber, once, in the words and the zone of the reader', async () => {
  const email = await person();
  await subscribe(email);
  await stored(T, 7.26);
  const event = stateEvent();
  await withSending(async () => {
    for (let i = 0; i < 2; i += 1)
      await f.bus.publish('events.event.recorded.v1', EventRecorded.encode(event).finish(), {
        msgId: `${event.eventId}-${i}`,
      });
    await server.mailTo(email);
    await until(() => notificationEvents().length > 0, { what: 'event' });
  });
  const [mail, ...more] = mailsTo(email);
  expect(more).toEqual([]);
  const { accountName, slug } = (await owner.get()) as unknown as { accountName: string; slug: string };
  expect(mail?.subject).toBe(`[${accountName}] Level: HIGH, 7.3 m`);
  expect(mail?.from).toBe('"Catchment" <catchment@example.org>');
  expect(mail?.headers.get('auto-submitted')).toBe('auto-generated');
  expect(mail?.messageId).toMatch(new RegExp(`^<${event.eventId}\\.0\\.[0-9a-f]{24}@example\\.org>$`));
  expect(mail?.text).toContain('Hello Ann,\n\nLevel is HIGH: 7.3 m at 15/05/2024 18:47 (+08:00)\n');
  expect(mail?.text).toContain(
    [
      `Node: ${slug}/Site/Station/Logger/Level`,
      'Time: 15/05/2024 18:47 (+08:00)',
      'Value: 7.3 m',
      'State: HIGH',
      'Category: Critical',
    ].join('\n'),
  );
  expect(mail?.text).toContain(`https://api.test/a/${slug}/n/${level._id}/alarms`);
  for (const part of ['Level is HIGH: 7.3 m', 'Critical', `${slug}/Site`]) expect(mail?.html).toContain(part);
  expect(notificationEvents()).toMatchObject([
    { level: 'INFO', message: 'Notification sent to 1 user by email, 0 by SMS: State changed from NORMAL to HIGH' },
  ]);
});

test('a mail about a silent source says why in the words of its diagnosis; it goes without them where nothing can be said', async () => {
  const about = async (contacts: Fixture['contacts'], change: Partial<NotificationDue> = {}) => {
    const email = await person();
    await subscribe(email, site.source);
    const due = notice(await userIdOf(email), {
      nodeId: site.source._id,
      stateName: '',
      eventText: 'No new data received for 1 day',
      customText: '',
      raisedAlarmType: 'outdatedAlarm',
      ...change,
    });
    const all = { ...deps(), contacts };
    await sendNotification(all, emailChannel(all, sender), due, 0);
    return (await server.mailTo(email)).text;
  };
  const never = { contact: async () => undefined, events: async () => [] };
  const reported = await about(never);
  expect(reported).toContain('No new data received for 1 day\n\nNothing has ever come.\n');
  expect(reported).toContain(`/n/${site.source._id}/diagnosis`);
  expect(await about(never, { raisedAlarmType: 'dataAlarm' })).not.toContain('Nothing has ever come');
  const away = async () => {
    throw new Error('away');
  };
  const text = await about({ contact: away, events: away });
  expect(text).toContain('No new data received for 1 day\n');
});

test('an alarm of a state that changed settings raise or clear reaches people as any other, in the words of its event', async () => {
  const email = await person();
  await subscribe(email);
  await stored(T, 7.26);
  const [normal, high] = stateIds;
  const reported = (message: string, from: string, to: string, alarmStateTo: string) =>
    stateEvent(message, {
      eventType: 'CONFIGURATION',
      username: 'al@example.org',
      timeMs: T + 60_000,
      transition: toHigh({ alarmStateTo, stateFrom: { stateId: from, name: '' }, stateTo: { stateId: to, name: '' } }),
    });
  const events = [
    reported('State is HIGH by changed settings', normal, high, 'ACTIVE'),
    reported('State is NORMAL by changed settings', high, normal, 'CLEARED'),
  ];
  await withSending(async () => {
    for (const event of events)
      await f.bus.publish('events.event.recorded.v1', EventRecorded.encode(event).finish(), { msgId: event.eventId });
    await until(() => mailsTo(email).length === 2, { what: 'two mails' });
  });
  const { accountName } = (await owner.get()) as unknown as { accountName: string };
  expect(
    mailsTo(email)
      .map(({ subject }) => subject)
      .sort(),
  ).toEqual([
    `[${accountName}] Level: State is HIGH by changed settings`,
    `[${accountName}] Level: State is NORMAL by changed settings`,
  ]);
});

test.each([
  [
    { email: false, sms: false },
    [
      'Notification not sent to 2 users by email: no mail server is configured',
      'Notification not sent to 1 user by SMS: no SMS gateway is configured',
    ],
  ],
  [
    { email: true, sms: false },
    [
      'Notification not sent to 1 user by SMS: no SMS gateway is configured',
      'Notification sent to 2 users by email, 0 by SMS: State changed from NORMAL to HIGH',
    ],
  ],
  [
    { email: false, sms: true },
    [
      'Notification not sent to 2 users by email: no mail server is configured',
      'Notification sent to 0 users by email, 1 by SMS: State changed from NORMAL to HIGH',
    ],
  ],
])(
  'what nothing is configured to send with is said, not reported as sent, and counts nowhere: %j',
  async (configured, expected) => {
    await subscribe(await person());
    await subscribe(await person({ sms: true, phone: '+61400111222' }));
    await takeTransitions({ database: f.database, now: f.now, configured }, [stateEvent()]);
    await until(() => notificationEvents().length >= 2, { what: 'two events' });
    expect(
      notificationEvents()
        .map(({ message }) => message)
        .sort(),
    ).toEqual(expected.toSorted());
    const levels = notificationEvents().map(
      ({ level, message }) => level === (message.includes('not sent') ? 'WARNING' : 'INFO'),
    );
    expect(levels).toEqual([true, true]);
    const { rows } = await f.database.query('SELECT 1 FROM sms_usage WHERE owner_id = $1', [mine.ownerId]);
    expect(rows).toHaveLength(configured.sms ? 1 : 0);
  },
);

describe('recipients', () => {
  const recipients = async (node: Json = level) =>
    (await recipientsOf(f.database, [{ nodeId: node._id, categoryId: category }], f.clock.nowMs))
      .filter(({ byEmail }) => byEmail)
      .map(({ email }) => email);

  test('are subscribers and members of subscribed groups, each once', async () => {
    const [ann, bob] = [await person(), await person()];
    await owner.createGroups([{ name: 'Crew', users: [{ user: ann }, { user: bob }] }]);
    await security.grant(site.workspace._id, { groups: [{ group: 'Crew', role: 'View' }] });
    await subscribe(ann);
    await security.subscribe(level._id, { groups: [{ group: 'crew' }] });
    expect((await recipients()).sort()).toEqual([ann, bob].sort());
  });

  test.each([
    ['are not active', { isActive: false }],
    ['do not want the category', { wants: false }],
  ])('leave out people who %s', async (_what, change) => {
    await subscribe(await person(change));
    expect(await recipients()).toEqual([]);
  });

  test('leave out people whose access has ended', async () => {
    const end = f.clock.nowMs + 60_000;
    const email = await person({ expiryTime: new Date(end).toISOString() });
    await subscribe(email);
    expect(await recipients()).toEqual([email]);
    f.clock.nowMs = end + 1;
    expect(await recipients()).toEqual([]);
  });

  test('leave out people to whom the node, or one above it, is closed', async () => {
    const [ann, bob] = [await person(), await person({ role: 'Configure' })];
    await subscribe(ann);
    await subscribe(bob);
    await security.grant(site.location._id, { users: [{ user: ann, role: 'No Access' }] });
    await f.database.query(
      'INSERT INTO subscriptions (owner_id, node_id, user_id) SELECT $1, $2, user_id FROM users WHERE address = $3 ON CONFLICT DO NOTHING',
      [mine.ownerId, level._id, ann],
    );
    expect(await recipients()).toEqual([bob]);
  });

  test('know nobody of another node, category or account', async () => {
    const email = await person();
    await subscribe(email, site.source);
    expect(await recipients()).toEqual([]);
    expect(await recipients(site.source)).toEqual([email]);
    const other = await f.account();
    const elsewhere = await f.source(other);
    // A row that names a node of another account gives nobody anything.
    await f.database.query(
      'INSERT INTO subscriptions (owner_id, node_id, user_id) SELECT $1, $2, user_id FROM users WHERE address = $3',
      [mine.ownerId, elsewhere.source._id, email],
    );
    expect(await recipients(elsewhere.source)).toEqual([]);
  });

  test('a disabled account notifies nobody of anything', async () => {
    await subscribe(await person());
    await f.database.query("UPDATE owners SET status = 'DISABLED' WHERE owner_id = $1", [mine.ownerId]);
    expect(await recipients()).toEqual([]);
  });
});

/** Counts the messages that events ask for, without sending them. */
async function asked(...given: EventRecorded[]): Promise<number> {
  let count = 0;
  const transaction: Fixture['database']['transaction'] = (work) =>
    f.database.transaction(async (tx) => {
      const waiting = async () => {
        const sql = "SELECT count(*)::int AS count FROM outbox WHERE subject LIKE 'notifications.%'";
        return (await tx.query<{ count: number }>(sql)).rows[0]?.count ?? 0;
      };
      // The relay takes what is there, but not while a transaction looks.
      await tx.query('LOCK TABLE outbox IN SHARE ROW EXCLUSIVE MODE');
      const before = await waiting();
      const result = await work(tx);
      count = (await waiting()) - before;
      return result;
    });
  const database = { query: f.database.query.bind(f.database), transaction };
  await takeTransitions({ database: database as Fixture['database'], now: f.now, configured: BOTH }, given);
  return count;
}

test.each([
  [
    'an alarm that was cleared by hand',
    "Cleared alarm 'STATE'",
    { eventType: 'CONFIGURATION', alarmState: 'CLEARED', username: 'jo@example.org', transition: undefined },
  ],
  [
    'an acknowledged alarm',
    "Acknowledged alarm 'STATE'",
    { eventType: 'CONFIGURATION', alarmState: 'ACKNOWLEDGED', username: 'jo@example.org', transition: undefined },
  ],
  ['an event that belongs to another account', 'State changed from NORMAL to HIGH', { ownerId: 'f'.repeat(24) }],
])('%s notifies nobody', async (_what, message, change) => {
  await subscribe(await person());
  expect(await asked(stateEvent(message, change))).toBe(0);
});

test('alarms of sources notify by their settings', async () => {
  const email = await person();
  await subscribe(email, site.source);
  await mine.update(site.source._id, {
    alarms: { dataAlarm: { config: { notify: 'AWAY_FROM_NORMAL', categoryId: category } } },
  });
  const about = (alarmStateTo: string) => ({
    nodeId: site.source._id,
    eventType: 'ACQUISITION',
    transition: Transition.fromPartial({ alarmType: 'dataAlarm', alarmStateTo }),
  });
  expect(await asked(stateEvent('Data invalid: 3 records', about('ACTIVE')))).toBe(1);
  expect(await asked(stateEvent('Data valid', about('CLEARED')))).toBe(0);
});

const notice = (userId: string, change: Partial<NotificationDue> = {}): NotificationDue => {
  events += 1;
  return {
    monthMs: 0,
    username: '',
    subject: '',
    deliveryId: `event-${process.pid}-${events}.0.${userId}`,
    ownerId: mine.ownerId,
    nodeId: level._id,
    userId,
    categoryId: category,
    customText: '',
    eventText: 'State changed from NORMAL to HIGH',
    stateName: 'HIGH',
    timeMs: T,
    record: undefined,
    ...change,
  };
};
const userIdOf = async (email: string) =>
  (await f.database.query<{ user_id: string }>('SELECT user_id FROM users WHERE address = $1', [email])).rows[0]
    ?.user_id ?? '';

describe('sending', () => {
  let email: string;
  let userId: string;
  beforeEach(async () => {
    email = await person();
    await subscribe(email);
    userId = await userIdOf(email);
    await stored(T, 7.26);
  });

  test('custom texts read the node as it was at the transition', async () => {
    await stored(T + 60_000, 9);
    const customText =
      '{{ THIS.name }} {{ THIS.currentValueFormatted }}{{ THIS.units }} {{ THIS.currentStateName }} {{ LOCATION.name }}/{{ SOURCE.name }} {{ WORKSPACE.name }} {{ NOW | time: "HH:mm" }} {{ THIS._path | split: "/" | size }}';
    await sendEmail(notice(userId, { customText }), 0);
    expect(mailsTo(email).at(-1)?.text).toContain('Level 7.3m HIGH Station/Logger Site 18:47 5');
  });

  test('a custom text that cannot be evaluated gives way to the usual one, with one warning for all readers', async () => {
    const customText = '{{ THIS.name | shout }}';
    const sent = notice(userId, { customText });
    await sendEmail(sent, 0);
    await sendEmail(sent, 0);
    expect(mailsTo(email).at(-1)?.text).toContain('Level is HIGH: 7.3 m at 15/05/2024 18:47');
    await until(() => notificationEvents().length > 0, { what: 'event' });
    expect(notificationEvents()).toMatchObject([
      { level: 'WARNING', message: expect.stringContaining('Expression cannot be evaluated: undefined filter: shout') },
    ]);
  });

  test('what people have named is text in the mail, never markup', async () => {
    await mine.update(level._id, { name: '<b>Level<b>' });
    await sendEmail(notice(userId, { customText: '<i>{{ THIS.name }}</i>' }), 0);
    const { text = '', html = '' } = mailsTo(email).at(-1) ?? {};
    expect(text).toContain('<i><b>Level<b></i>');
    expect(html).not.toMatch(/<[bi]>/);
  });

  test('whoever lost access, or wants no more, in the meantime gets nothing', async () => {
    const [gone, before] = [notice(userId), mailsTo(email).length];
    await security.revoke(site.workspace._id, { users: [{ user: email }] });
    await sendEmail(gone, 0);
    expect(mailsTo(email)).toHaveLength(before);
  });

  test('the link of a mail stops the mails of its category, once and for whom it was made', async () => {
    await sendEmail(notice(userId), 0);
    const mail = mailsTo(email).at(-1);
    const list = mail?.headers.get('list') as { unsubscribe?: { url?: string } } | undefined;
    const url = list?.unsubscribe?.url ?? '';
    expect(url).toMatch(/^https:\/\/app\.test\/auth\/unsubscribe\/[\w-]{70}$/);
    expect(mail?.text).toContain(url);
    expect(mail?.headers.get('list-unsubscribe-post') ?? list).toBeDefined();
    const token = url.slice(url.lastIndexOf('/') + 1);
    for (let i = 0; i < 2; i += 1) await f.security.stopEmails({ token }, f.service);
    const [stopped] = (await security.notifications(level._id)).users;
    expect(stopped?.notificationCategories).toContainEqual({ category: 'Critical', email: false, sms: false });
    const changes = () =>
      f.published.messagesOf(site.workspace._id).filter((text) => text.startsWith('Changed notification'));
    await until(() => changes().length > 1, { what: 'events' });
    expect(changes()).toEqual([
      `Changed notification preferences of ${email}`,
      `Changed notification preferences of ${email}`,
    ]);
    const before = mailsTo(email).length;
    await sendEmail(notice(userId), 0);
    expect(mailsTo(email)).toHaveLength(before);
    await expect(f.security.stopEmails({ token: token.slice(1) }, f.service)).rejects.toMatchObject({
      kind: 'not_found',
    });
    await expect(f.security.stopEmails({ token }, mine.options)).rejects.toMatchObject({ kind: 'permission_denied' });
  });

  test('a record that is not there yet is waited for, not for long', async () => {
    const early = notice(userId, { timeMs: T + 60_000 });
    await expect(sendEmail(early, 0)).rejects.toThrow(RetryAfter);
    await sendEmail(early, 6_000);
    expect(mailsTo(email).at(-1)?.text).toContain('Level is HIGH at 15/05/2024 18:48');
  });

  test('a record that its transition has is not waited for; what is stored counts more', async () => {
    await mine.update(level._id, { multiplier: 2 });
    const timeMs = T + 60_000;
    const record = { timeMs, value: { $case: 'number' as const, value: 4.13 }, quality: 155 };
    await sendEmail(notice(userId, { timeMs, record }), 0);
    expect(mailsTo(email).at(-1)?.text).toContain('Level is HIGH: 8.3 m at 15/05/2024 18:48');
    await stored(timeMs, 5);
    await sendEmail(notice(userId, { timeMs, record }), 0);
    expect(mailsTo(email).at(-1)?.text).toContain('Level is HIGH: 10.0 m at 15/05/2024 18:48');
  });

  test('a server that is not well is asked three times in 15 minutes, then an event reports it', async () => {
    server.refuse(() => 451);
    const sent = notice(userId);
    await expect(sendEmail(sent, 0)).rejects.toMatchObject({ delayMs: 300_000 });
    await expect(sendEmail(sent, 300_000)).rejects.toMatchObject({ delayMs: 600_000 });
    await sendEmail(sent, 900_000);
    await sendEmail(sent, 900_001);
    await until(() => notificationEvents().length > 0, { what: 'event' });
    expect(notificationEvents()).toMatchObject([
      { level: 'WARNING', message: `Notification not sent to ${email} by email: EENVELOPE 451` },
    ]);
  });

  test('an address that the server refuses holds up nobody else', async () => {
    const other = await person();
    await subscribe(other);
    server.refuse((recipient) => (recipient === email ? 550 : undefined));
    await sendEmail(notice(userId), 0);
    await sendEmail(notice(await userIdOf(other)), 0);
    expect(mailsTo(other)).toHaveLength(1);
    await until(() => notificationEvents().length > 0, { what: 'event' });
    expect(notificationEvents().at(-1)).toMatchObject({ level: 'WARNING' });
  });

  test('without a mail server it is only logged', async () => {
    await expect(sendNotification(deps(), emailChannel(deps(), undefined), notice(userId), 0)).resolves.toBeUndefined();
  });

  test('after 100 messages in an hour one mail says that the rest is held back', async () => {
    const many = (count: number) => Array.from({ length: count }, () => stateEvent());
    f.clock.nowMs = Date.parse('2030-01-01T10:59:00Z');
    expect(await asked(...many(99))).toBe(99);
    expect(await asked(...many(3))).toBe(1);
    expect(await asked(...many(3))).toBe(0);
    await sendMails(f, server);
    const held = mailsTo(email).filter(({ subject }) => subject === 'Catchment: notifications are held back');
    expect(held.map(({ text }) => /Until (.*) no more/.exec(text)?.[1])).toEqual(['2030-01-01 11:00 UTC']);
    f.clock.nowMs = Date.parse('2030-01-01T11:00:00Z');
    expect(await asked(...many(1))).toBe(1);
  });
});

describe('SMS', () => {
  const sendSms = (due: NotificationDue, ageMs: number, by: SmsSender | undefined = smsSender) =>
    sendNotification(deps(), smsChannel(by), due, ageMs);
  const smsNotice = (userId: string) => {
    const due = notice(userId, { monthMs: monthOf(f.clock.nowMs) });
    return { ...due, deliveryId: `${due.deliveryId}.sms` };
  };
  const usage = async () => {
    const { total, accounts } = (await owner.usage()) as unknown as {
      total: { sms: { usage: number } };
      accounts: { usage: { sms: number } }[];
    };
    return [total.sms.usage, accounts[0]?.usage.sms];
  };
  const limit = (smsLimit: number) => f.owners.updateAccount({ account: mine.slug, smsLimit }, f.service);
  let phones = 0;
  const newPhone = () => {
    phones += 1;
    return `+6186${String(process.pid).padStart(7, '0')}${String(phones).padStart(3, '0')}`;
  };
  /** Somebody who wants SMS alone. */
  const texted = async (phone = newPhone()) => {
    const email = await person({ wants: false, sms: true, phone });
    await subscribe(email);
    return { email, phone, userId: await userIdOf(email) };
  };

  test('a change of state reaches a subscriber by SMS as well, once', async () => {
    const phone = newPhone();
    const email = await person({ sms: true, phone });
    await subscribe(email);
    await stored(T, 7.26);
    const event = stateEvent();
    await withSending(async () => {
      for (let i = 0; i < 2; i += 1)
        await f.bus.publish('events.event.recorded.v1', EventRecorded.encode(event).finish(), {
          msgId: `${event.eventId}-${i}`,
        });
      await smsServer.smsTo(phone);
      await server.mailTo(email);
      await until(() => notificationEvents().length > 0, { what: 'event' });
    });
    const { accountName } = (await owner.get()) as unknown as { accountName: string };
    expect(smsServer.messages.filter(({ to }) => to === phone)).toEqual([
      {
        to: phone,
        from: 'Catchment',
        text: `${accountName} Station/Level: Level is HIGH: 7.3 m at 15/05/2024 18:47 @ 15/05/2024 18:47`,
        id: expect.stringMatching(new RegExp(`^${event.eventId}\\.0\\.[0-9a-f]{24}\\.sms$`)),
        authorization: `Basic ${Buffer.from('AC1:x').toString('base64')}`,
      },
    ]);
    expect(notificationEvents()).toMatchObject([
      { level: 'INFO', message: 'Notification sent to 1 user by email, 1 by SMS: State changed from NORMAL to HIGH' },
    ]);
    expect(await usage()).toEqual([1, 1]);
  });

  test('needs a phone number, and the category switched on for SMS', async () => {
    await subscribe(await person({ wants: false, sms: true, phone: '' }));
    await subscribe(await person({ wants: false, phone: newPhone() }));
    expect(await asked(stateEvent())).toBe(0);
    await texted();
    expect(await asked(stateEvent())).toBe(1);
  });

  test('one that was sent is not sent again, though its message comes again', async () => {
    const { phone, userId } = await texted();
    await stored(T, 7.26);
    const due = smsNotice(userId);
    await sendSms(due, 0);
    await sendSms(due, 0);
    expect(smsServer.tried.filter(({ to }) => to === phone)).toHaveLength(1);
  });

  test.each([500, 503, 429, 408, 'hang'] as const)(
    'a gateway that answers %s is asked three times, then an event says so',
    async (status) => {
      const { email, phone, userId } = await texted();
      await asked(stateEvent());
      await stored(T, 7.26);
      smsServer.answer((message) => (message.to === phone ? status : undefined));
      const due = smsNotice(userId);
      const by = status === 'hang' ? hastySender : smsSender;
      await expect(sendSms(due, 0, by)).rejects.toMatchObject({ delayMs: 300_000 });
      await expect(sendSms(due, 300_000, by)).rejects.toMatchObject({ delayMs: 600_000 });
      for (let i = 0; i < 2; i += 1) await sendSms(due, 900_000, by);
      expect(new Set(smsServer.tried.filter(({ to }) => to === phone).map(({ id }) => id))).toEqual(
        new Set([due.deliveryId]),
      );
      await until(() => notificationEvents().some(({ level }) => level === 'WARNING'), { what: 'event' });
      const why = status === 'hang' ? 'TIMEOUT' : `HTTP ${status}`;
      expect(notificationEvents().filter(({ level }) => level === 'WARNING')).toMatchObject([
        { message: `Notification not sent to ${email} by SMS: ${why}` },
      ]);
      expect(await usage()).toEqual([0, 0]);
    },
  );

  test.each([400, 401, 404, 302])(
    'a gateway that answers %s is not asked again, and the message does not count',
    async (status) => {
      const { phone, userId } = await texted();
      await asked(stateEvent());
      await stored(T, 7.26);
      smsServer.answer((message) => (message.to === phone ? status : undefined));
      expect(await usage()).toEqual([1, 1]);
      await sendSms(smsNotice(userId), 0);
      expect(smsServer.tried.filter(({ to }) => to === phone)).toHaveLength(1);
      expect(await usage()).toEqual([0, 0]);
    },
  );

  test('without a gateway it is only logged, and does not count', async () => {
    const { userId } = await texted();
    await asked(stateEvent());
    await stored(T, 7.26);
    await sendNotification(deps(), smsChannel(undefined), smsNotice(userId), 0);
    expect(await usage()).toEqual([0, 0]);
  });

  test('whoever lost access in the meantime gets none, and it does not count', async () => {
    const { email, phone, userId } = await texted();
    await asked(stateEvent());
    await security.revoke(site.workspace._id, { users: [{ user: email }] });
    await sendSms(smsNotice(userId), 0);
    expect(smsServer.tried.filter(({ to }) => to === phone)).toEqual([]);
    expect(await usage()).toEqual([0, 0]);
  });

  test('after 20 in an hour one mail says that the rest is held back', async () => {
    const { email } = await texted();
    f.clock.nowMs = Date.parse('2030-01-01T10:59:00Z');
    expect(await asked(...Array.from({ length: 22 }, () => stateEvent()))).toBe(20);
    expect(await asked(stateEvent())).toBe(0);
    await sendMails(f, server);
    const held = mailsTo(email).filter(({ subject }) => subject === 'Catchment: notifications are held back');
    expect(held.map(({ text }) => text)).toEqual([
      expect.stringContaining('You have had 20 notifications by SMS in this hour.'),
    ]);
  });

  test('the limit of the account holds in a calendar month; its owner hears of 90 % and of 100 %, once each', async () => {
    await texted();
    await limit(10);
    const reported = async () => {
      await sendMails(f, server);
      return server.mails
        .filter(({ to }) => to.includes(mine.caller.username))
        .map(({ subject }) => subject.replace(/^\[.*\] /, ''));
    };
    const before = (await reported()).length;
    f.clock.nowMs = Date.parse('2030-01-31T10:00:00Z');
    expect(await asked(...Array.from({ length: 8 }, () => stateEvent()))).toBe(8);
    expect((await reported()).slice(before)).toEqual([]);
    expect(await asked(stateEvent())).toBe(1);
    expect(await asked(stateEvent(), stateEvent(), stateEvent())).toBe(1);
    expect(await asked(stateEvent())).toBe(0);
    expect((await reported()).slice(before)).toEqual([
      '90 % of the limit of SMS is used',
      'The limit of SMS is reached',
    ]);
    expect(await usage()).toEqual([10, 10]);
    f.clock.nowMs = Date.parse('2030-02-01T00:00:00Z');
    expect(await usage()).toEqual([0, 0]);
    expect(await asked(stateEvent())).toBe(1);
  });

  test('several events at once do not go beyond the limit', async () => {
    await Promise.all([texted(), texted()]);
    await limit(5);
    const take = () => takeTransitions({ database: f.database, now: f.now, configured: BOTH }, [stateEvent()]);
    await Promise.all(Array.from({ length: 6 }, take));
    expect(await usage()).toEqual([5, 5]);
  });

  test('the limit of an account that manages others holds for all of them together, and its owner hears of it', async () => {
    const parent = await f.account();
    await f.database.query("UPDATE owners SET parent_owner_id = $2, account_type = 'MANAGED' WHERE owner_id = $1", [
      mine.ownerId,
      parent.ownerId,
    ]);
    await f.owners.updateAccount({ account: parent.slug, smsLimit: 4 }, f.service);
    await f.database.query('INSERT INTO sms_usage (owner_id, month_ms, count) VALUES ($1, $2, 2)', [
      parent.ownerId,
      monthOf(f.clock.nowMs),
    ]);
    await texted();
    expect(await asked(stateEvent(), stateEvent(), stateEvent())).toBe(2);
    await sendMails(f, server);
    const reported = server.mails.filter(({ subject }) => subject.includes('of SMS is'));
    expect(
      reported
        .filter(({ to }) => to.includes(parent.caller.username))
        .map(({ text }) => /used (.*) of them/.exec(text)?.[1]),
    ).toEqual(['90 %', '100 %']);
    expect(reported.filter(({ to }) => to.includes(mine.caller.username))).toEqual([]);
    const { total } = (await (await ownerClient(f, parent.caller)).usage()) as unknown as { total: { sms: object } };
    expect(total.sms).toEqual({ usage: 4, usageLimit: 4 });
  });

  test('a limit of 0 switches SMS off', async () => {
    await texted();
    await limit(0);
    expect(await asked(stateEvent())).toBe(0);
  });
});

describe('calls of devices by SMS', () => {
  const called = (change: Partial<DeviceCallDue> = {}) => {
    events += 1;
    return DeviceCallDue.fromPartial({
      callId: `call-${process.pid}-${events}`,
      ownerId: mine.ownerId,
      deviceKey: '490154203237518',
      workspaceId: site.workspace._id,
      sourceId: site.source._id,
      sourceClass: 'source.data.CampbellPakBus',
      phoneNumber: `+6187${String(process.pid).padStart(7, '0')}${String(events).padStart(3, '0')}`,
      timeMs: f.clock.nowMs,
      ...change,
    });
  };
  const call = (due: DeviceCallDue, ageMs = 0, by: SmsSender | undefined = smsSender) =>
    callDevice(deps(), by, due, ageMs);
  const reported = () =>
    f.published.events
      .filter(({ nodeId, eventType }) => nodeId === site.source._id && eventType === 'ACQUISITION')
      .map(({ level: of, message }) => `${of} ${message}`);
  const usage = async () => ((await owner.usage()) as unknown as { total: { sms: { usage: number } } }).total.sms.usage;
  const triedOf = ({ phoneNumber }: DeviceCallDue) => smsServer.tried.filter(({ to }) => to === phoneNumber);

  test('a device that is away gets one SMS, which counts as any other, and the source an event', async () => {
    const due = called();
    await withSending(async () => {
      await f.bus.publish('notifications.call.due.v1', DeviceCallDue.encode(due).finish(), { msgId: due.callId });
      await until(() => reported().length > 0, { what: 'event' });
    });
    await call(due);
    expect(triedOf(due)).toMatchObject([{ text: 'CALL 490154203237518', id: due.callId, from: 'Catchment' }]);
    expect(reported()).toEqual(['INFO Device 490154203237518 called by SMS']);
    expect(await usage()).toBe(1);
  });

  test('a gateway that does not take it is asked three times; then an event says why, and it does not count', async () => {
    const due = called();
    smsServer.answer(({ to }) => (to === due.phoneNumber ? 503 : undefined));
    await expect(call(due)).rejects.toMatchObject({ delayMs: 300_000 });
    expect(await usage()).toBe(1);
    await expect(call(due, 300_000)).rejects.toMatchObject({ delayMs: 600_000 });
    for (let i = 0; i < 2; i += 1) await call(due, 900_000);
    expect(triedOf(due)).toHaveLength(3);
    await until(() => reported().length > 0, { what: 'event' });
    expect(reported()).toEqual(['WARNING Device 490154203237518 was not called by SMS: HTTP 503']);
    expect(await usage()).toBe(0);
  });

  test.each([
    ['without a gateway', async (): Promise<unknown> => undefined, undefined, 'no SMS gateway is configured'],
    [
      'beyond the limit of the account',
      () => f.owners.updateAccount({ account: mine.slug, smsLimit: 0 }, f.service),
      'given',
      'the account has no SMS left in this month',
    ],
  ] as const)('%s none is sent, and an event reports it', async (_what, prepare, sender, reason) => {
    await prepare();
    const due = called();
    await callDevice(deps(), sender && smsSender, due, 0);
    expect(triedOf(due)).toEqual([]);
    await until(() => reported().length > 0, { what: 'event' });
    expect(reported()).toEqual([`WARNING Device 490154203237518 was not called by SMS: ${reason}`]);
    expect(await usage()).toBe(0);
  });

  test('a disabled account calls nobody', async () => {
    await f.database.query("UPDATE owners SET status = 'DISABLED' WHERE owner_id = $1", [mine.ownerId]);
    const due = called();
    await call(due);
    expect(triedOf(due)).toEqual([]);
  });
});

describe('the message of an alarm', () => {
  const USUAL = 'State changed from NORMAL to HIGH';
  let revision = 0;
  const changed = (change: Partial<AlarmChanged> = {}) => {
    revision += 1;
    return AlarmChanged.fromPartial({
      nodeId: level._id,
      ownerId: mine.ownerId,
      alarmType: 'stateAlarm',
      alarmState: 'ACTIVE',
      message: USUAL,
      activeTimeMs: T,
      revision,
      ...change,
    });
  };
  const custom = (text: string, timeMs = T) => ({ text, stateName: 'HIGH', timeMs, record: undefined });
  /** Alarms says it; what it asks for is collected. */
  const say = async (...messages: AlarmChanged[]) => {
    const due: AlarmTextDue[] = [];
    const transaction: Fixture['database']['transaction'] = (work) =>
      f.database.transaction(async (tx) => {
        await tx.query('LOCK TABLE outbox IN SHARE ROW EXCLUSIVE MODE');
        const result = await work(tx);
        const sql = "SELECT data FROM outbox WHERE subject = 'notifications.text.due.v1'";
        const { rows } = await tx.query<{ data: Buffer }>(sql);
        due.push(...rows.map(({ data }) => AlarmTextDue.decode(data)));
        return result;
      });
    const database = { query: f.database.query.bind(f.database), transaction } as Fixture['database'];
    const messagesOf = (changed: AlarmChanged) =>
      decodeAlarms({ subject: 'alarms.alarm.changed.v1', data: AlarmChanged.encode(changed).finish() });
    await applyAlarms({ database }, messages.flatMap(messagesOf));
    return messages.flatMap(
      (message) => due.find((text) => text.revision === message.revision && text.nodeId === level._id) ?? [],
    );
  };
  const evaluate = (due: AlarmTextDue | undefined, ageMs = 0) => evaluateAlarmText(deps(), due!, ageMs);
  const status = async () => {
    const { alarms } = (await mine.get(level._id)) as unknown as {
      alarms: { stateAlarm: { status: { alarmState: string; message?: string } } };
    };
    return [alarms.stateAlarm.status.alarmState, alarms.stateAlarm.status.message];
  };

  test('has its expressions evaluated at the transition, and keeps that until it is over', async () => {
    await stored(T, 7.26);
    const text =
      '{{ THIS.name }} {{ THIS.currentStateName }} {{ THIS.currentValueFormatted }} in {{ LOCATION.name }} at {{ NOW | time }}';
    const [due] = await say(changed({ custom: custom(text) }));
    expect(await status()).toEqual(['ACTIVE', USUAL]);
    await evaluate(due);
    const shown = 'Level HIGH 7.3 in Station at 2024-05-15 10:47:00';
    expect(await status()).toEqual(['ACTIVE', shown]);
    expect(await say(changed({ alarmState: 'ACKNOWLEDGED' }))).toEqual([]);
    expect(await status()).toEqual(['ACKNOWLEDGED', shown]);
    await evaluate(due);
    expect(await status()).toEqual(['ACKNOWLEDGED', shown]);
    await say(changed({ alarmState: 'CLEARED', message: '', activeTimeMs: 0 }));
    expect(await status()).toEqual(['CLEARED', undefined]);
  });

  test('waits for the record that it is about', async () => {
    const [due] = await say(changed({ custom: custom('{{ THIS.currentValue }} m') }));
    await expect(evaluate(due)).rejects.toThrow(RetryAfter);
    await stored(T, 8.5);
    await evaluate(due);
    expect(await status()).toEqual(['ACTIVE', '8.5 m']);
  });

  test('takes the record that its transition has', async () => {
    const record = { timeMs: T, value: { $case: 'number' as const, value: 8.5 }, quality: undefined };
    const [due] = await say(changed({ custom: { ...custom('{{ THIS.currentValue }} m'), record } }));
    await evaluate(due);
    expect(await status()).toEqual(['ACTIVE', '8.5 m']);
  });

  test('comes too late for an alarm that is another one by now', async () => {
    await stored(T, 7.26);
    const [due] = await say(changed({ custom: custom('first') }));
    const worse = 'State changed from HIGH to CRITICAL';
    await say(changed({ message: worse }));
    await evaluate(due);
    expect(await status()).toEqual(['ACTIVE', worse]);
  });

  test('is evaluated though the alarm was acknowledged at the same time', async () => {
    await stored(T, 7.26);
    const [due] = await say(
      changed({ custom: custom('{{ THIS.name }} rises') }),
      changed({ alarmState: 'ACKNOWLEDGED' }),
    );
    await evaluate(due);
    expect(await status()).toEqual(['ACKNOWLEDGED', 'Level rises']);
  });

  test('is the last one when transitions follow one another quickly', async () => {
    await stored(T, 7.26);
    const [first] = await say(changed({ custom: custom('first') }));
    const [second] = await say(changed({ custom: custom('second') }));
    await evaluate(second);
    await evaluate(first);
    expect(await status()).toEqual(['ACTIVE', 'second']);
  });

  test.each([
    ['cannot be read', '{{ THIS.name | shout }}', 'undefined filter: shout'],
    [
      'explodes',
      '{% for i in (1..9999) %}{% for j in (1..9999) %}{{ i }}{% endfor %}{% endfor %}',
      'the text takes too much work',
    ],
  ])(
    'stays the usual one where an expression %s, with one warning for it and for what is sent',
    async (_what, text, why) => {
      await stored(T, 7.26);
      const email = await person();
      await subscribe(email);
      const [due] = await say(changed({ custom: custom(text) }));
      await evaluate(due);
      await evaluate(due);
      await sendEmail(notice(await userIdOf(email), { customText: text }), 0);
      expect(await status()).toEqual(['ACTIVE', USUAL]);
      expect(mailsTo(email).at(-1)?.text).toContain('Level is HIGH: 7.3 m at');
      await until(() => notificationEvents().length > 0, { what: 'event' });
      expect(notificationEvents().map(({ level: of, message }) => [of, message])).toEqual([
        ['WARNING', expect.stringContaining(`Expression cannot be evaluated: ${why}`)],
      ]);
    },
  );

  test('is cut at 500 characters', async () => {
    await stored(T, 7.26);
    const [due] = await say(changed({ custom: custom('{% for i in (1..600) %}💧{% endfor %}') }));
    await evaluate(due);
    expect([...((await status())[1] ?? '')]).toHaveLength(500);
  });
});

describe('messages by hand', () => {
  test('reach the people that they name, in the words of the writer, whatever they prefer', async () => {
    const phone = `+6187${String(process.pid).padStart(7, '0')}001`;
    const [ann, bob] = [await person({ wants: false, phone }), await person({ wants: false, phone: '' })];
    await owner.createGroups([{ name: 'Crew', users: [{ user: ann }, { user: bob }] }]);
    await stored(T, 7.26);
    f.clock.nowMs = Date.now();
    await withSending(async () => {
      const message = 'Come to {{ LOCATION.name }}:\n{{ THIS.name }} is at {{ THIS.currentValueFormatted }}';
      const sent = await security.message(level._id, {
        users: [await userIdOf(ann)],
        groups: ['crew'],
        subject: 'Flood watch',
        message,
        channels: ['email', 'sms'],
      });
      expect(sent).toEqual({ emailUsers: 2, smsUsers: 1 });
      await Promise.all([server.mailTo(ann), server.mailTo(bob), smsServer.smsTo(phone)]);
      await until(() => notificationEvents().length > 0, { what: 'event' });
      expect(notificationEvents()).toMatchObject([
        {
          level: 'INFO',
          username: mine.caller.username,
          message: `Notification sent to 2 users by email, 1 by SMS: ${message}`,
        },
      ]);
    });
    const [mail, ...more] = mailsTo(bob);
    expect(more).toEqual([]);
    expect(mail?.subject).toMatch(/^\[Account \d+\] Flood watch$/);
    expect(mail?.text).toContain('Come to Station:\n\nLevel is at 7.3');
    expect(mail?.text).toContain(`You get this mail because ${mine.caller.username} has sent it to you.`);
    expect(mail?.headers.has('list')).toBe(false);
    expect((await smsServer.smsTo(phone)).text).toContain('Station/Level: Come to Station:\nLevel is at 7.3 @ ');
  });

  test.each([
    ['somebody without access', async () => ({ users: [newEmail()] }), 'users[1]: must be a user who may see the node'],
    [
      'somebody to whom the node is closed',
      async () => {
        const user = await person({ role: 'View' });
        await security.grant(site.location._id, { users: [{ user, role: 'No Access' }] });
        return { users: [user] };
      },
      'users[1]: must be a user who may see the node',
    ],
    [
      'a group of another account',
      async () => ({ groups: ['Nobody'] }),
      'groups[0]: must be the name or the id of a group',
    ],
    [
      'an expression that takes too much work',
      async () => ({ message: '{% for i in (1..9999) %}{% for j in (1..9999) %}x{% endfor %}{% endfor %}' }),
      'message: cannot be evaluated: the text takes too much work',
    ],
  ])('with %s are refused, and nothing is sent', async (_what, makeChange, problem) => {
    const email = await person();
    const change: { users?: string[]; groups?: string[]; message?: string } = await makeChange();
    await withSending(async () => {
      const body = { message: 'Hello', ...change, users: [email, ...(change.users ?? [])] };
      await expect(security.message(level._id, body)).rejects.toThrow(problem);
      await security.message(level._id, { users: [email], message: 'The next one' });
      expect((await server.mailTo(email)).text).toContain('The next one');
    });
    expect(mailsTo(email)).toHaveLength(1);
  });

  test('whoever lost access in the meantime, or is not active yet, gets none', async () => {
    const [pending, gone] = [await person({ isActive: false }), await person()];
    expect(await security.message(level._id, { users: [pending, gone], message: 'Hello' })).toEqual({
      emailUsers: 1,
      smsUsers: 0,
    });
    const due = notice(await userIdOf(gone), {
      categoryId: '',
      customText: 'Hello',
      stateName: '',
      username: 'jo@example.org',
    });
    await sendEmail(due, 0);
    expect(mailsTo(gone)).toHaveLength(1);
    await security.revoke(site.workspace._id, { users: [{ user: gone }] });
    await sendEmail({ ...due, deliveryId: `${due.deliveryId}-next` }, 0);
    expect(mailsTo(gone)).toHaveLength(1);
  });

  test('need SEND_MESSAGE', async () => {
    const readOnly = await securityClient(f, { ...mine.caller, permission: 'READ_ONLY' });
    await expect(readOnly.message(level._id, { users: [newEmail()], message: 'Hello' })).rejects.toMatchObject({
      kind: 'permission_denied',
    });
  });
});

test('what the broker repeats no more is forgotten', async () => {
  await subscribe(await person());
  const event = stateEvent();
  expect(await asked(event)).toBe(1);
  await forgetSent(f.database, f.clock.nowMs + 7 * 86_400_000);
  expect(await asked(event)).toBe(0);
  await forgetSent(f.database, f.clock.nowMs + 9 * 86_400_000);
  const known = 'SELECT event_id FROM notified_events WHERE event_id = $1';
  expect((await f.database.query(known, [event.eventId])).rows).toEqual([]);
});
