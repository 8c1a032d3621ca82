import { type Answer, type Api, MODEL } from '../../api.ts';
import type { EntryPoint, Reply } from './entry-point.ts';
import type { Scene } from './scene.ts';

/** Sorts a reply of the API: 2xx, a 4xx with an error body, or neither. */
function replyOf(answer: Answer, shown?: (answer: Answer) => unknown): Reply {
  const { status, text } = answer;
  const said = `${status} ${text.slice(0, 300)}`;
  if (status >= 200 && status < 300) {
    const read = shown?.(answer);
    return { kind: 'taken', said, ...(typeof read === 'string' && { shown: read }) };
  }
  return { kind: status >= 400 && status < 500 ? 'refused' : 'broken', said };
}

/** Names and labels stand on one line, without blanks around them. */
const trimmed = (text: string): string => text.trim();
const CONTROLS = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;
const onOneLine = (text: string): string => text.replaceAll(CONTROLS, ' ').trim();

/** An attribute of a node, changed and read in the answer. */
const attribute = (
  api: Api,
  name: string,
  nodeId: string,
  { body, read, keeps = (text) => text, names = [name] }: Partial<AttributeOf> = {},
): EntryPoint => ({
  name,
  names,
  keeps,
  send: async (text) => {
    const answer = await api.put(`/nodes/${nodeId}`, body?.(text) ?? { [name]: text });
    return replyOf(answer, read ?? (body ? undefined : ({ json }) => json[name] ?? ''));
  },
});
type AttributeOf = {
  readonly body: (text: string) => object;
  readonly read: (answer: Answer) => unknown;
  readonly keeps: (text: string) => string;
  readonly names: readonly string[];
};

const STATES = (more: object) => ({
  statesType: 'RANGE',
  states: [{ name: 'NORMAL' }, { name: 'HIGH', threshold: 1, ...more }],
});

/** Attributes of nodes. */
function attributeEntryPoints({ api, ids }: Scene): EntryPoint[] {
  return [
    attribute(api, 'name', ids.location, { keeps: trimmed }),
    attribute(api, 'customId', ids.location, { keeps: trimmed }),
    attribute(api, 'description', ids.chart),
    attribute(api, 'sharedCode', ids.workspace, { names: ['sharedCode', 'code'] }),
    attribute(api, 'units', ids.number),
    attribute(api, 'format', ids.number),
    attribute(api, 'metadata value', ids.location, {
      body: (value) => ({ metadata: [{ name: 'note', value }] }),
      read: ({ json }) => json.metadata?.[0]?.value ?? '',
      names: ['metadata'],
    }),
    attribute(api, 'metadata name', ids.workspace, {
      body: (name) => ({ metadata: [{ name, value: 'x' }] }),
      read: ({ json }) => json.metadata?.[0]?.name ?? '',
      names: ['metadata'],
    }),
    attribute(api, 'state name', ids.number, {
      body: (name) => STATES({ name }),
      read: ({ json }) => json.states?.[1]?.name ?? '',
      keeps: trimmed,
      names: ['states'],
    }),
    attribute(api, 'state message', ids.number, {
      body: (messageTowards) => STATES({ messageTowards, isAlarm: true }),
      read: ({ json }) => json.states?.[1]?.messageTowards ?? '',
      names: ['states'],
    }),
    attribute(api, 'state description', ids.number, {
      body: (description) => STATES({ description }),
      read: ({ json }) => json.states?.[1]?.description ?? '',
      names: ['states'],
    }),
    attribute(api, 'text state', ids.text, {
      body: (threshold) => ({ statesType: 'DISCRETE', states: [{ name: 'WET', threshold }] }),
      read: ({ json }) => json.states?.[0]?.threshold ?? '',
      names: ['states'],
    }),
    attribute(api, 'equation', ids.number, { names: ['equation'] }),
    attribute(api, 'alarm message', ids.source, {
      body: (messageTowards) => ({ alarms: { outdatedAlarm: { config: { messageTowards } } } }),
      names: ['alarms'],
    }),
    attribute(api, 'timezone', ids.source, { names: ['timezone'] }),
    attribute(api, 'series', ids.text, { names: ['series'] }),
    attribute(api, 'program', ids.process, { body: (code) => ({ process: { code } }), names: ['process', 'code'] }),
    attribute(api, 'file match', ids.files, { body: (match) => ({ files: [{ match }] }), names: ['files'] }),
    attribute(api, 'unknown attribute', ids.location, {
      body: (value) => ({ nobodyKnows: value }),
      names: ['nobodyKnows'],
    }),
    {
      name: 'name of an attribute',
      names: ['body', 'names of'],
      send: async (text) => replyOf(await api.put(`/nodes/${ids.location}`, { [`x${text}`]: 1 })),
    },
    {
      name: 'new node',
      names: ['name', 'parentId', '_class'],
      send: async (text, n) =>
        replyOf(
          await api.post('/nodes', {
            _class: `${MODEL}.location.Location`,
            parentId: ids.workspace,
            name: `${n}${text}`,
          }),
        ),
    },
    {
      name: 'class of a new node',
      names: ['_class'],
      send: async (_class) => replyOf(await api.post('/nodes', { _class, name: 'x' })),
    },
  ];
}

/** Records, annotations, events. */
function dataEntryPoints({ api, ids }: Scene): EntryPoint[] {
  const at = (n: number) => new Date(Date.UTC(2024, 0, 1) + n * 60_000).toISOString();
  const document = (ts: string, f: object, column: object = {}) => ({
    docType: 'jts',
    header: { columns: { 0: { id: ids.text, ...column } } },
    data: [{ ts, f: { 0: f } }],
  });
  const read = (part: 'v' | 'a', nodeId: string) => async () => {
    const path = `/nodes/${nodeId}/historic?startTime=2023-01-01T00:00:00Z&endTime=2025-01-01T00:00:00Z`;
    const { data = [] } = (await api.get(path)).json;
    return new Map<number, string>(
      data.flatMap(({ ts, f }: { ts: string; f: Record<string, Record<string, string>> }) => {
        const found = f[0]?.[part];
        return found === undefined ? [] : [[(Date.parse(ts) - Date.UTC(2024, 0, 1)) / 60_000, found]];
      }),
    );
  };
  return [
    {
      name: 'records of a source',
      names: ['data[0].f.0.v'],
      send: async (v, n) => replyOf(await api.put(`/nodes/${ids.source}/historic`, document(at(n), { v }))),
      kept: read('v', ids.text),
    },
    {
      name: 'records of a parameter',
      names: ['data[0].f.0.v'],
      send: async (v, n) =>
        replyOf(
          await api.put(`/nodes/${ids.other}/historic`, { docType: 'jts', data: [{ ts: at(n), f: { 0: { v } } }] }),
        ),
      kept: read('v', ids.other),
    },
    {
      name: 'annotations',
      names: ['data[0].f.0.a'],
      send: async (a, n) =>
        replyOf(
          await api.put(`/nodes/${ids.number}/historic`, {
            docType: 'jts',
            data: [{ ts: at(n), f: { 0: { v: n, a } } }],
          }),
        ),
      kept: read('a', ids.number),
    },
    {
      name: 'value of now',
      names: ['value'],
      send: async (value) => replyOf(await api.put(`/nodes/${ids.now}/historic/now`, { value })),
    },
    {
      name: 'annotation of now',
      names: ['annotation', 'value'],
      send: async (annotation) => replyOf(await api.put(`/nodes/${ids.now}/historic/now`, { value: 'x', annotation })),
    },
    {
      name: 'column of a document',
      names: ['header.columns.0'],
      send: async (series, n) =>
        replyOf(
          await api.put(
            `/nodes/${ids.columns}/historic`,
            document(at(n), { v: 1 }, { id: '', series: `${n}${series}` }),
          ),
        ),
    },
    {
      name: 'units of a column',
      names: ['header.columns.0', 'units'],
      send: async (units, n) =>
        replyOf(
          await api.put(
            `/nodes/${ids.columns}/historic`,
            document(at(n), { v: 1 }, { id: '', series: `u${n}`, units }),
          ),
        ),
    },
    {
      name: 'events',
      names: ['[0].message'],
      keeps: onOneLine,
      send: async (message, n) => replyOf(await api.post(`/nodes/${ids.text}/events`, [{ message, eventTime: at(n) }])),
      kept: async () => {
        const list = (
          await api.get(
            `/nodes/${ids.text}/events?limit=1000&filter=${encodeURIComponent('eventType($eq:CONFIGURATION)')}`,
          )
        ).json;
        return new Map<number, string>(
          list.flatMap(({ eventTime, message }: { eventTime: string; message: string }) => {
            const n = (Date.parse(eventTime) - Date.UTC(2024, 0, 1)) / 60_000;
            return n >= 0 && n < 10_000 ? [[n, message]] : [];
          }),
        );
      },
    },
    {
      name: 'comment of an acknowledgement',
      names: ['comment'],
      send: async (comment) =>
        replyOf(await api.post(`/nodes/${ids.number}/alarms/acknowledge?alarmTypes=stateAlarm`, { comment })),
    },
    {
      name: 'program that is tested',
      names: ['code', 'process'],
      send: async (code) =>
        replyOf(await api.post(`/nodes/${ids.process}/process/test`, { code, startTime: at(0), endTime: at(1) })),
    },
    {
      name: 'parser that is tried',
      names: ['text', 'settings', 'parser', 'file', 'body'],
      send: async (text) => replyOf(await api.post(`/nodes/${ids.files}/parser/preview`, { text, parser: {} })),
    },
  ];
}

/** People, rights and lists of an account. */
function accountEntryPoints({ api, account }: Scene): EntryPoint[] {
  const made = (list: string, attributeName: string, more: object = {}): EntryPoint => ({
    name: `${list}.${attributeName}`,
    names: [attributeName],
    keeps: trimmed,
    send: async (text) => {
      const answer = await api.post(`/owners/account/${list}`, { ...more, [attributeName]: text });
      const reply = replyOf(answer, ({ json }) => json[attributeName]);
      const made = answer.status === 201 ? answer.json : undefined;
      if (made) await api.delete(`/owners/account/${list}/${made._id}`);
      return reply;
    },
  });
  return [
    made('roles', 'name', { permissions: [] }),
    made('categories', 'name'),
    made('apikeys', 'label'),
    made('webhooks', 'url', { name: 'x' }),
    made('webhooks', 'name', { url: 'https://example.org/hook' }),
    {
      name: 'account name',
      names: ['accountName'],
      keeps: trimmed,
      send: async (accountName) => replyOf(await api.put('/owners/account', { accountName })),
    },
    {
      name: 'user of the account',
      names: ['administrators', 'user'],
      send: async (first, n) =>
        replyOf(
          await api.put('/owners/account', { administrators: [{ user: `fuzz-${n}@example.org`, name: { first } }] }),
        ),
    },
    {
      name: 'group',
      names: ['[0].name', 'groups', 'name'],
      send: async (name, n) => replyOf(await api.post('/owners/account/groups', [{ name: `${n}${name}`, users: [] }])),
    },
    {
      name: 'device',
      names: ['name', 'description', 'secret', 'deviceKey', 'workspaceId'],
      send: async (text) => replyOf(await api.post('/devices', { workspaceId: account.workspaceId, secret: text })),
    },
    {
      name: 'sign-in',
      names: ['Sign-in', 'E-mail', 'email', 'password', 'form', '"reason"'],
      longest: 10_000,
      send: async (text) => {
        const answer = await fetch(`${api.url}/auth/login`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ email: `${text}@example.org`, password: text }),
          redirect: 'manual',
        });
        const body = await answer.text();
        const kind = answer.status >= 500 ? 'broken' : answer.status >= 400 ? 'refused' : 'taken';
        return { kind: kind === 'taken' ? 'refused' : kind, said: `${answer.status} "reason" ${body.slice(0, 200)}` };
      },
    },
  ];
}

/** Arguments of the query, and references in paths. Longer ones are refused for their length alone. */
function argumentEntryPoints({ api, ids }: Scene): EntryPoint[] {
  const LONGEST = 300;
  const encoded = (text: string): string =>
    [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
  const query = (name: string, names: readonly string[], path: (encoded: string) => string): EntryPoint => ({
    name,
    names,
    longest: LONGEST,
    // A half of a character cannot be sent: it is U+FFFD by then.
    reportsLater: true,
    send: async (text) => replyOf(await api.get(path(encoded(text)))),
  });
  const operand = (text: string) => `name(%24eq:${text})`;
  return [
    query('filter', ['filter'], (text) => `/nodes?filter=${operand(text)}`),
    query('filter of events', ['filter'], (text) => `/events?filter=message(%24match:${text})`),
    query('filter of metadata', ['filter'], (text) => `/nodes?filter=metadata.note(%24eq:${text})`),
    query('sort', ['sort'], (text) => `/nodes?sort=${text}`),
    query('attr', ['attr'], (text) => `/nodes?attr=${text}`),
    query('times', ['startTime'], (text) => `/nodes/${ids.number}/historic?startTime=${text}`),
    query('params', ['params', 'not found'], (text) => `/historic?params=${text}&limit=1`),
    query('unknown argument', ['x', 'query'], (text) => `/nodes?x=${text}`),
    query('name of an argument', ['query string', 'argument'], (text) => `/nodes?x${text}=1`),
    query('reference in a path', ['not found', 'path'], (text) => `/nodes/%40${text}`),
    query('path', ['not found', 'path', 'not allowed'], (text) => `/${text}`),
  ];
}

/** Files with names. */
function fileEntryPoints({ api, ids }: Scene): EntryPoint[] {
  const form = (name: string, field?: readonly [string, string]) => {
    const parts = [
      `--b\r\nContent-Disposition: form-data; name="file"; filename*=UTF-8''${encodeURIComponent(name.toWellFormed())}\r\n\r\nx\r\n`,
    ];
    if (field) parts.push(`--b\r\nContent-Disposition: form-data; name="${field[0]}"\r\n\r\n${field[1]}\r\n`);
    return [Buffer.from(`${parts.join('')}--b--\r\n`), { 'Content-Type': 'multipart/form-data; boundary=b' }] as const;
  };
  return [
    {
      name: 'file name of an attachment',
      names: ['file name', 'file:'],
      longest: 2_000,
      reportsLater: true,
      send: async (text) => replyOf(await api.post(`/nodes/${ids.location}/attachments`, ...form(`${text}.txt`))),
    },
    {
      name: 'description of an attachment',
      names: ['description'],
      longest: 2_000,
      reportsLater: true,
      send: async (text) =>
        replyOf(await api.post(`/nodes/${ids.location}/attachments`, ...form('x.txt', ['description', text]))),
    },
    {
      name: 'file name of a source',
      names: ['name'],
      longest: 300,
      reportsLater: true,
      send: async (text) => {
        const name = encodeURIComponent(text.toWellFormed());
        const headers = { 'Content-Type': 'text/csv' };
        return replyOf(
          await api.post(`/nodes/${ids.files}/files?name=${name}.csv`, 't,a\n2024-01-01 00:00,1\n', headers),
        );
      },
    },
  ];
}

export const apiEntryPoints = (scene: Scene): EntryPoint[] => [
  ...dataEntryPoints(scene),
  ...attributeEntryPoints(scene),
  ...accountEntryPoints(scene),
  ...argumentEntryPoints(scene),
  ...fileEntryPoints(scene),
];
