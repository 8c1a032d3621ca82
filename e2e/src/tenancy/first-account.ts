import { randomBytes } from 'node:crypto';
import { until } from '@catchment/testkit';
import { type Api, jts, MODEL } from '../api.ts';

/** The first account and the intruders have such nodes, one of each kind. */
export type Site = {
  readonly workspace: string;
  readonly group: string;
  readonly location: string;
  readonly source: string;
  readonly point: string;
  readonly rating: string;
  readonly computed: string;
};

/** Data of the first account have these words, by the callers that must never see them. */
type Markers = {
  /** These words name everything outside the side workspace. */
  readonly hidden: readonly string[];
  /** Only keys of level ACCOUNT may see these words of people and keys. */
  readonly people: readonly string[];
  /** The account's own keys may see these words of the account and its side workspace. */
  readonly account: readonly string[];
};

export type FirstAccount = {
  readonly api: Api;
  readonly site: Site;
  /** Its limited keys and workspace users share it; everything else is hidden from them. */
  readonly side: Site;
  /** One node of every other kind stands below the site's workspace or the account's templates. */
  readonly others: readonly string[];
  /** The walk names these nodes by `@customId`. */
  readonly custom: { readonly [kind in 'workspace' | 'location' | 'source' | 'point']: string };
  readonly attachmentSource: string;
  readonly device: string;
  readonly deviceKey: string;
  readonly export: string;
  readonly import: string;
  readonly userGroup: string;
  readonly userGroupName: string;
  /** A user of the workspace. */
  readonly user: string;
  readonly category: string;
  readonly role: string;
  readonly apiKey: string;
  readonly webhook: string;
  /** A delivery of the webhook. */
  readonly delivery: string;
  readonly administrator: string;
  /** Names a write of the account. */
  readonly write: string;
  readonly listEtag: string;
  readonly markers: Markers;
};

const TIME = '2024-03-01T00:00:00.000Z';

/** Fills an account with something of every kind, each with words that can be found in any answer that holds it. */
export async function fillFirstAccount(api: Api, accountName: string): Promise<FirstAccount> {
  const hidden = token('hid');
  const people = token('ppl');
  const number = 7_391_846.25;

  const categories = await added(api, '/owners/account/categories', { name: `Category ${accountName}`.slice(0, 60) });
  const role = await added(api, '/owners/account/roles', {
    name: `Role ${accountName}`,
    permissions: ['VIEW', 'CONFIGURE'],
  });
  // A stranger may name this person in an account of its own, and then reads that address there.
  const administrator = `${token('admin')}@example.org`;
  await ok(api.put('/owners/account', { administrators: [{ user: administrator }] }));
  const groups = await ok(
    api.post('/owners/account/groups', [
      { name: `Crew ${hidden}`, users: [{ user: `crew-${hidden}@example.org` }] },
      { name: `Staff ${people}`, users: [{ user: `staff-${people}@example.org` }] },
    ]),
  );

  const site = await createSite(api, hidden);
  const custom = {
    workspace: `workspace-${hidden}`,
    location: `location-${hidden}`,
    source: `source-${hidden}`,
    point: `point-${hidden}`,
  };
  for (const kind of ['workspace', 'location', 'source', 'point'] as const) {
    await ok(
      api.put(`/nodes/${site[kind]}`, {
        customId: custom[kind],
        metadata: [{ name: `Meta ${hidden}`, value: `Value ${hidden}` }],
      }),
    );
  }
  await ok(
    api.put(`/nodes/${site.point}`, {
      units: hidden.slice(0, 20),
      isPublic: true,
      statesType: 'RANGE',
      states: [
        { name: 'NORMAL' },
        {
          name: `High ${hidden}`,
          threshold: 1000,
          isAlarm: true,
          notify: 'ALWAYS',
          categoryId: categories._id,
          messageAway: `Away ${hidden}`,
        },
      ],
    }),
  );
  const below = async (name: string, parentId: string | undefined, more: object = {}) =>
    (
      await api.create({
        _class: `${MODEL}.${name}`,
        name: `${name.split('.').at(-1)} ${hidden}`,
        ...(parentId && { parentId }),
        ...more,
      })
    )._id;
  const text = await below('point.TextPoint', site.source);
  const attachmentSource = await below('source.attachment.AttachmentSource', site.location);
  const templates = await below('Templates', undefined);
  const others: string[] = [
    text,
    attachmentSource,
    templates,
    await below('Group', templates),
    await below('chart.HistoricChart', site.location),
    await below('Dashboard', site.workspace),
    await below('Report', site.workspace),
    await below('source.data.CampbellPakBus', site.location),
    await below('point.NumberControlPoint', site.source),
    await below('source.data.Processor', site.location),
  ];
  const attachment = await api.upload(attachmentSource, `File ${hidden}`, `File ${hidden}.txt`);
  others.push(attachment._id);
  const device = await ok(
    api.post('/devices', {
      _class: 'io.svc.models.device.ScoutDevice',
      deviceKey: `8${String(Date.now()).padStart(14, '0')}`,
      workspaceId: site.workspace,
    }),
  );
  const users = [{ user: `user-${hidden}@example.org` }];
  const userGroups = [{ group: groups[0].name }];
  await ok(
    api.post(`/nodes/${site.workspace}/security/subscribe`, {
      users: users.map((user) => ({ ...user, role: 'Operate' })),
      groups: userGroups.map((userGroup) => ({ ...userGroup, role: 'View' })),
    }),
  );
  await ok(api.post(`/nodes/${site.point}/notifications/subscribe`, { users, groups: userGroups }));
  const apiKey = await added(api, '/owners/account/apikeys', {
    label: `Key ${people}`,
    permission: 'READ_ONLY',
    accessLevel: 'WORKSPACES',
  });

  const webhook = await added(api, '/owners/account/webhooks', {
    name: `Hook ${people}`,
    url: 'https://hooks.invalid/',
    enabled: false,
  });
  const delivery = await ok(api.post(`/owners/account/webhooks/${webhook._id}/test`));

  const { write } = await ok(
    api.put(`/nodes/${site.point}/historic`, record({ v: number, q: 149, a: `Note ${hidden}` })),
  );
  await ok(api.put(`/nodes/${text}/historic`, record({ v: `Text ${hidden}` })));
  await ok(api.put(`/nodes/${site.location}/historic/now`, { value: [-43.5321, 172.6362], timestamp: TIME }));
  const exported = await ok(api.post('/exports', { nodes: [site.point] }));
  const form = new FormData();
  form.append('file', new Blob([`time,${hidden}\n2001-03-02,1\n`]), `${hidden}.csv`);
  const imported = await ok(api.post(`/nodes/${site.point}/import`, form));
  const side = await createSite(api, accountName);
  await ok(api.put(`/nodes/${side.point}/historic`, record({ v: 5 })));
  await until(async () => (await api.get(`/nodes/${site.point}`)).json.currentValue === number);
  await until(async () => (await api.get(`/nodes/${side.point}`)).json.currentValue === 5);
  await until(async () => (await api.get(`/nodes/${site.point}/events`)).text.includes(`to High ${hidden}`));

  const nodes = (await ok(api.get('/nodes'))) as { _id: string; workspaceId?: string; publicId?: string }[];
  const isBeside = (node: (typeof nodes)[number]) => node._id === side.workspace || node.workspaceId === side.workspace;
  const owner = await ok(api.get('/owners/account'));
  const events = (await ok(api.get('/events'))) as { _id: string; workspaceId?: string }[];
  return {
    api,
    site,
    side,
    others,
    custom: Object.fromEntries(Object.entries(custom).map(([kind, id]) => [kind, `@${id}`])) as FirstAccount['custom'],
    attachmentSource,
    device: device._id,
    deviceKey: device.deviceKey,
    export: exported.export._id,
    import: imported.import._id,
    userGroup: groups[0]._id,
    userGroupName: groups[0].name,
    user: users[0]?.user ?? '',
    category: categories._id,
    role: role._id,
    apiKey: apiKey._id,
    webhook: webhook._id,
    delivery: delivery._id,
    administrator,
    write,
    listEtag: (await api.get('/nodes')).headers.get('etag') ?? '',
    markers: {
      hidden: [
        hidden,
        String(number),
        '172.6362',
        device._id,
        device.deviceKey,
        exported.export._id,
        ...nodes.filter((node) => !isBeside(node)).flatMap(({ _id, publicId }) => (publicId ? [_id, publicId] : [_id])),
        ...events.filter(({ workspaceId }) => workspaceId === site.workspace).map(({ _id }) => _id),
      ],
      people: [people, groups[0]._id, groups[1]._id, apiKey._id, webhook._id],
      account: [
        accountName,
        owner._id,
        owner.slug,
        role._id,
        categories._id,
        ...nodes.filter(isBeside).map((n) => n._id),
      ],
    },
  };
}

/** Makes a workspace with a group, location, source and parameters; also what intruders have of their own. */
export async function createSite(api: Api, word: string): Promise<Site> {
  const create = async (name: string, parentId?: string, more: object = {}) =>
    (
      await api.create({
        _class: `${MODEL}.${name}`,
        name: `${name.split('.').at(-1)} ${word}`,
        ...(parentId && { parentId }),
        ...more,
      })
    )._id;
  const workspace = await create('Workspace');
  const group = await create('Group', workspace);
  const location = await create('location.Location', workspace);
  const source = await create('source.data.Jts', location);
  const point = await create('point.NumberPoint', source);
  const rating = await create('point.NumberRatingPoint', source);
  const computed = await create('point.NumberProcessPoint', source);
  return { workspace, group, location, source, point, rating, computed };
}

/** Returns one record for a parameter at the time that all of this account's records have. */
export const record = (field: object): unknown => ({
  ...(jts([], []) as object),
  data: [{ ts: TIME, f: { 0: field } }],
});

const token = (prefix: string) => `${prefix}${randomBytes(8).toString('hex')}`;

async function ok(answer: ReturnType<Api['get']>) {
  const { status, text, json } = await answer.then((response) => ({
    ...response,
    json: response.status < 400 ? response.json : undefined,
  }));
  if (status >= 400) throw new Error(`the first account was not filled: ${status} ${text}`);
  return json;
}

const added = (api: Api, path: string, body: object) => ok(api.post(path, body));
