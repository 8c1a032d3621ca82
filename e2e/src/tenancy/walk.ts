import { MODEL, unique } from '../api.ts';
import { type FirstAccount, record, type Site } from './first-account.ts';

/** One request to an operation. */
export type Trial = {
  /** Below /api/v1, with the query. */
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * hidden: names something of the first account in its path, and is refused as if that did not exist. refers: names it
   * elsewhere, and is refused for any reason. unknown: names something in its path that only its user knows. open: may well be answered, only not with anything of the first account.
   * account: any key of the first account is answered, all others are refused as if it did not exist.
   */
  readonly names: 'hidden' | 'refers' | 'unknown' | 'open' | 'account';
};

type Trials = (first: FirstAccount, site: Site) => readonly Trial[];

export const open = (path: string, body?: unknown, headers?: Record<string, string>): Trial => ({
  path,
  names: 'open',
  ...(body !== undefined && { body }),
  ...(headers && { headers }),
});
export const hidden = (path: string, body?: unknown): Trial => ({
  path,
  names: 'hidden',
  ...(body !== undefined && { body }),
});
const unknown = (path: string): Trial => ({ path, names: 'unknown' });
/** Every key of the first account may ask these, and nobody else. */
const ofAccount = (path: string): Trial => ({ path, names: 'account' });
const refers = (path: string, body?: unknown): Trial => ({
  path,
  names: 'refers',
  ...(body !== undefined && { body }),
});

const customs = ({ custom }: FirstAccount) => Object.values(custom);
const someNodes = ({ site, custom, others }: FirstAccount) => [
  ...Object.values(site),
  custom.location,
  ...others.slice(2, 5),
];
const allNodes = (first: FirstAccount) => [...Object.values(first.site), ...first.others, ...customs(first)];
const points = ({ site, custom }: FirstAccount) => [site.point, custom.point, site.location, site.rating];
const targets = ({ site, custom, attachmentSource }: FirstAccount) => [
  site.point,
  custom.point,
  site.source,
  custom.location,
  attachmentSource,
];
const parents = ({ site, custom, others }: FirstAccount) => [site.group, site.location, custom.workspace, ...others];

const listed = (first: FirstAccount) => ({
  alarms: targets(first).flatMap((nodeId) => ['stateAlarm', 'dataAlarm'].map((alarmType) => ({ nodeId, alarmType }))),
});

/** Tries the same request on each of several nodes of the first account. */
const toEach =
  (nodes: (first: FirstAccount) => readonly string[], rest = '', body?: (site: Site, first: FirstAccount) => unknown) =>
  (first: FirstAccount, site: Site): readonly Trial[] =>
    nodes(first).map((ref) => hidden(`/nodes/${ref}${rest}`, body?.(site, first)));

const OTHER_PLACE = `${'A'.repeat(16)}.1.1:1:`;
const BOUNDS = 'startTime=2024-01-01T00:00:00Z&endTime=2024-12-31T00:00:00Z';
const FILE = '--b\r\nContent-Disposition: form-data; name="file"; filename="taken.txt"\r\n\r\nTaken\r\n--b--\r\n';
const AGGREGATE = `${BOUNDS}&aggregate=COUNT&baseTime=D&interval=1MO`;
const written = record({ v: 666 });
const headed = (column: object) => ({
  docType: 'jts',
  header: { columns: { 0: column } },
  data: [{ ts: '2024-03-01T00:00:00Z', f: { 0: { v: 666 } } }],
});
const collection = (name: string, idOf: (first: FirstAccount) => string, body: Record<string, unknown>) => {
  const pathOf = (first: FirstAccount) => `/owners/account/${name}/${idOf(first)}`;
  return {
    [`GET /owners/account/${name}`]: () => [open(`/owners/account/${name}`)],
    [`GET /owners/account/${name}/{id}`]: (first) => [hidden(pathOf(first))],
    [`PUT /owners/account/${name}/{id}`]: (first) => [hidden(pathOf(first), body)],
    [`DELETE /owners/account/${name}/{id}`]: (first) => [hidden(pathOf(first))],
  } satisfies Record<string, Trials>;
};

const TESTED = { startTime: '2024-01-01T00:00:00Z', endTime: '2024-12-31T00:00:00Z' };
/** The program names a node by its id: an answer may repeat what was sent. */
const programThatNames = ({ site }: FirstAccount): string => `return NUMBER('{${site.point}}')`;

const writesToOne: Trials = (first, site) => [
  ...toEach(
    (account) => [...points(account), account.site.source, account.custom.source],
    '/historic',
    () => written,
  )(first, site),
  ...toEach(
    (account) => [account.site.source],
    '/historic',
    () => headed({ series: 'Stolen' }),
  )(first, site),
  ...toEach(
    (account) => [account.site.point],
    '/historic?writeMode=DELETE_RANGE',
    () => written,
  )(first, site),
  // A column of an own source names a parameter of the first account.
  refers(`/nodes/${site.source}/historic`, headed({ id: first.site.point })),
  refers(`/nodes/${site.source}/historic`, headed({ id: first.custom.point })),
];
const writesToSeveral: Trials = (first, site) => [
  ...points(first).map((ref) => refers(`/historic?params=${ref}(columnIndex:0)`, written)),
  refers(`/historic?params=${site.point}(columnIndex:0),${first.site.point}(columnIndex:0)`, written),
  ...points(first).map((id) => refers('/historic', headed({ id }))),
];
const writesNow: Trials = toEach(points, '/historic/now', () => ({ value: 666 }));
const inOwnOf = (first: FirstAccount, site: Site): boolean => site.workspace !== first.side.workspace;
const people = ({ user, userGroupName }: FirstAccount) => ({ users: [{ user }], groups: [{ group: userGroupName }] });
const roles = ({ user, userGroupName }: FirstAccount) => ({
  users: [{ user, role: 'View' }],
  groups: [{ group: userGroupName, role: 'View' }],
});
const withNode = ({ site, custom }: FirstAccount) => [site.workspace, custom.workspace, site.location, site.point];
const alarmTrials = (word: string): Trials => toEach(targets, `/alarms/${word}`);

/**
 * The tenancy test sends these requests to every operation of the API, named as in its OpenAPI document. A new operation gets a line:
 * requests with whatever of the first account its path, query and body can name (`first`), beside what the intruder may use
 * itself (`own`); and lists, which are searched for words of the first account.
 */
export const WALK: Readonly<Record<string, Trials>> = {
  'GET /owners/account': () => [
    open('/owners/account'),
    open('/owners/account?attr=administrators,groups,accountName'),
  ],
  'PUT /owners/account': (first) => [
    // A person of the first account may be named here; what the first account knows of that person stays.
    open('/owners/account', {
      administrators: [{ user: first.administrator, name: { first: 'Changed', last: 'Name' } }],
    }),
    open('/owners/account', { groups: [{ _id: first.userGroup, name: unique('Taken'), users: [] }] }),
  ],
  'POST /owners/account/groups': (first) => [
    open('/owners/account/groups', [
      { name: unique('Crew'), users: [{ user: first.administrator, phone: '+64211234567' }] },
    ]),
    open('/owners/account/groups', [{ _id: first.userGroup, name: unique('Crew'), users: [] }]),
  ],
  'PUT /owners/account/groups/{id}': (first) => [
    hidden(`/owners/account/groups/${first.userGroup}`, { name: 'Taken' }),
  ],
  'DELETE /owners/account/groups/{id}': (first) => [hidden(`/owners/account/groups/${first.userGroup}`)],
  'GET /owners/account/access': () => [open('/owners/account/access'), open('/owners/account/access?limit=1&skip=1')],
  'GET /owners/account/usage': () => [open('/owners/account/usage')],
  'GET /owners/account/usage/nodes': () => [open('/owners/account/usage/nodes')],
  'GET /owners/account/limits': () => [open('/owners/account/limits')],
  'GET /owners/account/categories/{id}/uses': (first) => [hidden(`/owners/account/categories/${first.category}/uses`)],
  'GET /owners/account/quality': () => [open('/owners/account/quality')],
  'PUT /owners/account/quality': () => [open('/owners/account/quality', { unknown: 'UNCERTAIN' })],
  'GET /users/me': () => [open('/users/me')],
  ...collection('categories', ({ category }) => category, { name: 'Taken' }),
  'POST /owners/account/categories': (first) => [
    open('/owners/account/categories', { _id: first.category, name: unique('Category') }),
  ],
  ...collection('roles', ({ role }) => role, { name: 'Taken' }),
  'POST /owners/account/roles': (first) => [
    open('/owners/account/roles', { _id: first.role, name: unique('Role'), permissions: ['VIEW'] }),
  ],
  ...collection('apikeys', ({ apiKey }) => apiKey, { label: 'Taken', permission: 'MODIFY' }),
  'POST /owners/account/apikeys': (first) => [
    refers('/owners/account/apikeys', {
      label: 'Into it',
      permission: 'MODIFY',
      accessLevel: 'LIMITED_WORKSPACES',
      workspaceIds: [first.site.workspace],
    }),
  ],

  ...collection('webhooks', ({ webhook }) => webhook, { name: 'Taken', enabled: true }),
  'POST /owners/account/webhooks': (first) => [
    open('/owners/account/webhooks', {
      _id: first.webhook,
      name: unique('Hook'),
      url: 'https://hooks.invalid/',
      enabled: false,
    }),
  ],
  ...Object.fromEntries(
    ['POST secret', 'POST test', 'GET deliveries'].map((operation): [string, Trials] => {
      const [method, word] = operation.split(' ');
      const of = ({ webhook }: FirstAccount) => [hidden(`/owners/account/webhooks/${webhook}/${word}`)];
      return [`${method} /owners/account/webhooks/{id}/${word}`, of];
    }),
  ),
  'POST /owners/account/webhooks/{id}/deliveries/{deliveryId}/redeliver': ({ webhook, delivery }) => [
    hidden(`/owners/account/webhooks/${webhook}/deliveries/${delivery}/redeliver`),
  ],

  'GET /nodes': (first) => [
    open('/nodes'),
    open('/nodes?type=TREE'),
    open('/nodes', undefined, { 'If-None-Match': first.listEtag }),
    open('/nodes?sort=currentValue(DESC),name&expiry=60'),
    ...[
      `_id($eq:${first.site.location})`,
      `workspaceId($eq:${first.site.workspace})`,
      'name($match:*)%7C_id($ne:null)',
      'path($like:*)',
    ].map((filter) => open(`/nodes?filter=${filter}`)),
    open(`/nodes?filter=customId($eq:${first.custom.point.slice(1)})`),
    open('/nodes?filter=currentValue($gt:Number(1000)),states.name($match:High)&attr=name,states,alarms,metadata'),
  ],
  'POST /nodes': (first) => [
    ...parents(first).map((parentId) =>
      refers('/nodes', { _class: `${MODEL}.Group`, name: unique('Inside').slice(0, 60), parentId }),
    ),
    refers('/nodes', { _class: `${MODEL}.point.NumberPoint`, name: 'Inside', parentId: first.site.source }),
    open('/nodes', {
      _class: `${MODEL}.Workspace`,
      name: unique('Mine'),
      _id: first.site.workspace,
      ownerId: 'f'.repeat(24),
    }),
  ],
  'POST /nodes/{id}/attachments': (first) =>
    [first.site.group, first.site.location, first.attachmentSource, first.custom.workspace].map((ref) => ({
      ...hidden(`/nodes/${ref}/attachments`, FILE),
      headers: { 'Content-Type': 'multipart/form-data; boundary=b' },
    })),
  'POST /nodes/{id}/import': (first) =>
    [...someNodes(first), first.site.point].map((ref) => ({
      ...hidden(`/nodes/${ref}/import`, FILE),
      headers: { 'Content-Type': 'multipart/form-data; boundary=b' },
    })),
  'GET /imports': () => [open('/imports')],
  'GET /imports/{id}': (first) => [unknown(`/imports/${first.import}`)],
  'DELETE /imports/{id}': (first) => [unknown(`/imports/${first.import}`)],
  'GET /exports': () => [open('/exports')],
  'POST /exports': (first) => [
    refers('/exports', { nodes: [first.site.point] }),
    refers('/exports', { nodes: [first.site.source, first.custom.point] }),
  ],
  'GET /exports/{id}': (first) => [unknown(`/exports/${first.export}`)],
  'DELETE /exports/{id}': (first) => [unknown(`/exports/${first.export}`)],
  'GET /exports/{id}/file': (first) => [unknown(`/exports/${first.export}/file`)],
  'POST /nodes/{id}/files': (first) =>
    someNodes(first).map((ref) => ({
      ...hidden(`/nodes/${ref}/files?name=stolen.csv`, 'time,Stolen\n2024-03-01T00:00:00Z,666\n'),
      headers: { 'Content-Type': 'text/csv' },
    })),
  'GET /nodes/{id}': (first, site) => [
    ...toEach(allNodes)(first, site),
    ...toEach(customs, '?attr=name,currentValue&expiry=1')(first, site),
    open(`/nodes/${site.location}`),
  ],
  'PUT /nodes/{id}': (first, site) => [
    ...toEach(allNodes, '', () => ({ name: 'Taken', metadata: [] }))(first, site),
    ...[
      { coordinateSourceId: first.site.source },
      { coordinateSourceId: first.custom.source },
      { imageSourceId: first.attachmentSource },
    ].map((body) => refers(`/nodes/${site.location}`, body)),
    refers(`/nodes/${site.rating}`, { rating: { inputNodeId: first.site.point, ratings: [] } }),
    refers(`/nodes/${site.rating}`, { rating: { inputNodeId: first.custom.point, ratings: [] } }),
    open(`/nodes/${site.location}`, {
      parentId: first.site.group,
      workspaceId: first.site.workspace,
      ownerId: 'f'.repeat(24),
    }),
  ],
  'GET /nodes/{id}/computation': toEach(allNodes, '/computation'),
  'GET /nodes/{id}/diagnosis': toEach(allNodes, '/diagnosis'),
  'GET /nodes/{id}/rating': toEach(allNodes, '/rating'),
  'PUT /nodes/{id}/rating': (first, site) => {
    const csv = '"2024-01-01T00:00:00Z","table",0:666\n';
    const trials = [
      ...someNodes(first).map((ref) => hidden(`/nodes/${ref}/rating`, csv)),
      ...[first.site.point, first.custom.point].map((ref) =>
        refers(`/nodes/${site.rating}/rating?inputNodeId=${ref}`, csv),
      ),
    ];
    return trials.map((trial) => ({ ...trial, headers: { 'Content-Type': 'text/csv' } }));
  },
  'DELETE /nodes/{id}': toEach(allNodes),
  'PUT /nodes/{id}/parent': (first, site) => [
    ...toEach(someNodes, '/parent', ({ group }) => ({ parentId: group }))(first, site),
    ...parents(first).map((parentId) => refers(`/nodes/${site.location}/parent`, { parentId })),
  ],
  'POST /nodes/{id}/clone': (first, site) => [
    ...toEach(someNodes, '/clone', ({ workspace }) => ({ parentId: workspace, name: 'Stolen' }))(first, site),
    ...parents(first).map((parentId) => refers(`/nodes/${site.location}/clone`, { parentId, name: 'Inside' })),
  ],
  'POST /nodes/{id}/unlink': toEach(someNodes, '/unlink'),

  'GET /nodes/{id}/security': toEach(withNode, '/security'),
  'POST /nodes/{id}/security/subscribe': (first, site) => [
    ...toEach(withNode, '/security/subscribe', () => ({ users: [{ user: 'thief@example.org', role: 'Manage' }] }))(
      first,
      site,
    ),
    // A group of the first account is none of a stranger's.
    ...(inOwnOf(first, site) ? [refers(`/nodes/${site.workspace}/security/subscribe`, roles(first))] : []),
  ],
  'POST /nodes/{id}/security/unsubscribe': toEach(withNode, '/security/unsubscribe', (_own, first) => people(first)),
  'GET /nodes/{id}/notifications': (first, site) => [
    ...toEach(targets, '/notifications')(first, site),
    ...toEach(withNode, '/notifications?subscribeType=ALL')(first, site),
  ],
  'POST /nodes/{id}/notifications': (first, site) => {
    const notificationCategories = [{ category: 'Critical', email: true }];
    const body = { users: [{ user: first.user, notificationCategories }] };
    const refused = toEach(withNode, '/notifications', () => body)(first, site);
    return inOwnOf(first, site) ? [...refused, refers(`/nodes/${site.point}/notifications`, body)] : refused;
  },
  'POST /nodes/{id}/messages': (first, site) => {
    const body = { users: [first.user], message: 'stolen' };
    const refused = toEach(withNode, '/messages', () => body)(first, site);
    return inOwnOf(first, site) ? [...refused, refers(`/nodes/${site.point}/messages`, body)] : refused;
  },
  'POST /nodes/{id}/messages/preview': toEach(withNode, '/messages/preview', () => ({ message: '{{ THIS.name }}' })),
  'POST /nodes/{id}/notifications/subscribe': (first, site) => [
    ...toEach(targets, '/notifications/subscribe', () => ({ users: [{ user: first.administrator }] }))(first, site),
    ...(inOwnOf(first, site) ? [refers(`/nodes/${site.point}/notifications/subscribe`, people(first))] : []),
  ],
  'POST /nodes/{id}/notifications/unsubscribe': toEach(targets, '/notifications/unsubscribe', (_own, first) =>
    people(first),
  ),

  'GET /historic': (first, site) => [
    ...points(first).map((ref) => refers(`/historic?params=${ref}&limit=10`)),
    ...points(first).map((ref) => refers(`/historic?params=${site.point},${ref}&limit=10&format=RDB`)),
    ...points(first).map((ref) =>
      refers(`/historic?params=${site.point},${ref}(aggregate:MAX;baseTime:D;interval:1MO)&${BOUNDS}`),
    ),
  ],
  'GET /historic/chart': (first, site) => [
    ...points(first).map((ref) => refers(`/historic/chart?params=${ref}&${BOUNDS}&format=SVG`)),
    ...points(first).map((ref) => refers(`/historic/chart?params=${site.point},${ref}&format=SVG`)),
  ],
  'PUT /historic': writesToSeveral,
  'POST /historic': writesToSeveral,
  'GET /nodes/{id}/historic': (first, site) => [
    ...toEach(points, '/historic?limit=10')(first, site),
    ...toEach(points, `/historic?${AGGREGATE}`)(first, site),
    ...toEach((account) => [account.site.point], `/historic?${BOUNDS}&timeQuery=MODIFIED&format=CSV`)(first, site),
    ...toEach(points, `/historic?${BOUNDS}&format=ARROW`)(first, site),
    ...toEach((account) => [account.site.point], `/historic?${BOUNDS}&format=COVJSON`)(first, site),
  ],
  'PUT /nodes/{id}/historic': writesToOne,
  'POST /nodes/{id}/historic': writesToOne,
  'DELETE /nodes/{id}/historic': toEach(points, '/historic'),
  'PUT /nodes/{id}/historic/now': writesNow,
  'POST /nodes/{id}/historic/now': writesNow,
  'GET /writes/{id}': ({ write }) => [ofAccount(`/writes/${write}`), ofAccount(`/writes/${write}?wait=1`)],
  'GET /nodes/{id}/historic/chart': toEach(
    (account) => [account.site.point, account.custom.point],
    `/historic/chart?${BOUNDS}&format=SVG`,
  ),

  'POST /nodes/{id}/historic/chart/preview': toEach(
    (first) => [...targets(first), ...first.others],
    '/historic/chart/preview?format=SVG&width=200&height=200',
    () => ({}),
  ),
  'POST /nodes/{id}/page/preview': toEach(allNodes, '/page/preview', () => ({})),
  'POST /nodes/{id}/report/preview': toEach(
    (first) => [...targets(first), ...first.others],
    '/report/preview?width=100',
    () => ({}),
  ),
  'POST /nodes/{id}/report/schedule/preview': toEach(
    (first) => [...targets(first), ...first.others],
    '/report/schedule/preview',
    () => ({}),
  ),
  'GET /nodes/{id}/report/runs': toEach((first) => [...targets(first), ...first.others], '/report/runs'),
  'POST /nodes/{id}/report/runs': toEach((first) => [...targets(first), ...first.others], '/report/runs'),
  'GET /nodes/{id}/report': toEach((first) => [...targets(first), ...first.others], '/report'),

  'GET /nodes/search': (first) => [
    open('/nodes/search?q=e&limit=50'),
    ...customs(first).map((ref) => open(`/nodes/search?q=${encodeURIComponent(ref)}`)),
    refers(`/nodes/search?q=e&workspaceId=${first.site.workspace}`),
  ],
  'GET /nodes/children': (first) => [
    open('/nodes/children?limit=1000'),
    ...targets(first).map((ref) => refers(`/nodes/children?parentId=${ref}`)),
  ],
  'GET /alarms': (first) => [
    open('/alarms'),
    open('/alarms?limit=1000&state=ACTIVE,ACKNOWLEDGED'),
    ...targets(first).map((ref) => refers(`/alarms?nodeId=${ref}`)),
    refers(`/alarms?workspaceId=${first.site.workspace}`),
  ],
  'POST /alarms/acknowledge': (first) => [open('/alarms/acknowledge', { ...listed(first), comment: 'seen' })],
  'POST /alarms/clear': (first) => [open('/alarms/clear', listed(first))],
  'POST /nodes/{id}/alarms/acknowledge': alarmTrials('acknowledge'),
  'POST /nodes/{id}/alarms/clear': alarmTrials('clear'),
  'POST /nodes/{id}/operate/acquire': toEach((first) => [...targets(first), ...first.others], '/operate/acquire'),
  'POST /nodes/{id}/operate/remote': toEach(targets, '/operate/remote', () => ({ cidr: '192.0.2.1/32', minutes: 5 })),
  'GET /nodes/{id}/operate/remote': toEach(targets, '/operate/remote'),
  'DELETE /nodes/{id}/operate/remote': toEach(targets, '/operate/remote'),
  'POST /nodes/{id}/parser/preview': toEach(
    (first) => [...targets(first), ...first.others],
    '/parser/preview',
    () => ({
      sample: 'time,Level\n2024-01-01 00:00,1.5\n2024-01-01 00:10,1.6\n',
    }),
  ),
  'POST /nodes/{id}/process/test': (first, site) => [
    ...toEach(allNodes, '/process/test', () => ({ code: 'return 1', ...TESTED }))(first, site),
    refers(`/nodes/${site.computed}/process/test`, {
      code: programThatNames(first),
      ...TESTED,
    }),
  ],

  'GET /events': (first) => [
    open('/events'),
    open('/events?sort=eventTime(DESC)&limit=10000'),
    open(`/events?filter=nodeId($eq:${first.site.point})`),
    open(`/events?filter=workspaceId($eq:${first.site.workspace})&attr=message,username`),
    open('/events?filter=alarmType($eq:stateAlarm)&attr=message,nodeId,alarmType,alarmEndTime'),
  ],
  // The stream begins with the log, and with a place of another stream, after which all that can be seen follows.
  'GET /events/stream': (first) => [
    open('/events/stream?lastEventId=0'),
    open(`/events/stream?lastEventId=0&filter=nodeId($eq:${first.site.point})`),
  ],
  'GET /nodes/stream': (first) => [
    open(`/nodes/stream?lastEventId=${OTHER_PLACE}`),
    open(`/nodes/stream?lastEventId=${OTHER_PLACE}&filter=parentId($eq:${first.site.source})`),
  ],
  'GET /nodes/{id}/events': toEach(someNodes, '/events?attr=message,alarmEndTime'),
  'POST /nodes/{id}/events': toEach(someNodes, '/events', () => [{ message: 'Not theirs' }]),
  'DELETE /nodes/{id}/events': toEach(someNodes, '/events'),

  'GET /devices': (first) => [open('/devices'), open(`/devices?filter=workspaceId($eq:${first.site.workspace})`)],
  // The key of another account's device may be named; modem.e2e.test.ts tests what follows.
  'POST /devices': (first) => [
    refers('/devices', { _class: 'io.svc.models.device.ScoutDevice', workspaceId: first.site.workspace }),
    refers('/devices', { _class: 'io.svc.models.device.ScoutDevice', workspaceId: first.custom.workspace }),
  ],
  'GET /devices/{id}': (first) => [hidden(`/devices/${first.device}`)],
  'DELETE /devices/{id}': (first) => [hidden(`/devices/${first.device}`)],
  'POST /devices/{id}/commands': (first) => [hidden(`/devices/${first.device}/commands`, { command: 'REBOOT' })],
  'PUT /devices/{id}': (first) => [
    hidden(`/devices/${first.device}`, { secret: 'of-the-second-account', phoneNumber: null }),
  ],
};
