import { type Api, jts, MODEL } from '../api.ts';
import { createSite, record, type Site } from './first-account.ts';

type Asked = { readonly status: number; readonly text: string };
/** Asks for an operation that needs a permission, as a person. */
type Operation = (api: Api, at: Place, person: string) => Promise<Asked>;
type Place = Site & { readonly attachment: string; readonly control: string };

const ONE_VALUE = { ...(jts([], []) as object), data: [{ ts: '2024-03-01T00:00:00.000Z', f: { 0: { v: 1 } } }] };
/** A person who may change something of a node may send what changes nothing: each person sends something else. */
const statesOf = (name: string) => ({ states: [{ name: 'NORMAL' }, { name, threshold: 9 }] });

/** Each permission has an operation that needs nothing else (docs/reference/people-and-security.md#permission-by-operation). */
export const BY_PERMISSION: Readonly<Record<string, Operation>> = {
  VIEW: (api, { point }) => api.get(`/nodes/${point}/security`),
  ATTACHMENT_READ: async (api, { attachment }) => {
    const { status, text, json } = await api.get(`/nodes/${attachment}`);
    return json.fileUrl === undefined ? { status: 403, text } : { status, text };
  },
  EXPORT_DATA: (api, { point }) => api.get(`/nodes/${point}/historic?limit=1`),
  SEND_MESSAGE: (api, { point }, user) => api.post(`/nodes/${point}/messages`, { message: 'Come', users: [user] }),
  ACKNOWLEDGE_ALARMS: (api, { point }) => api.post(`/nodes/${point}/alarms/acknowledge`),
  EDIT_ALARMS: (api, { point }, user) => api.put(`/nodes/${point}`, statesOf(user)),
  EDIT_QUALITY: (api, { point }) =>
    api.put(`/nodes/${point}/historic?writeMode=MERGE_UPDATE_EXISTING`, record({ q: 149 })),
  EDIT_DATA: (api, { point }) => api.put(`/nodes/${point}/historic?writeMode=MERGE_OVERWRITE_EXISTING`, ONE_VALUE),
  CONTROL: (api, { control }, user) => api.put(`/nodes/${control}`, { controlValue: user }),
  SUBSCRIBE_NOTIFICATIONS: (api, { point }, user) =>
    api.post(`/nodes/${point}/notifications/subscribe`, { users: [{ user }] }),
  MANAGE_NOTIFICATIONS: (api, { point }) =>
    api.post(`/nodes/${point}/notifications/subscribe`, { users: [{ user: OTHER }] }),
  CONFIGURE: (api, { point }, user) => api.put(`/nodes/${point}`, { units: user.slice(0, 30) }),
  SECURITY: (api, { workspace }) =>
    api.post(`/nodes/${workspace}/security/subscribe`, { users: [{ user: OTHER, role: 'View' }] }),
};
const OTHER = 'somebody.else@example.org';

/** Makes keys of people of an account, each with another role in a Workspace that is made for them, and a key that only reads. */
export async function peopleByRole(api: Api, word: string) {
  const site = await createSite(api, word);
  const node = { name: 'Another', parentId: site.location };
  const files = await api.create({ ...node, _class: `${MODEL}.source.attachment.AttachmentSource` });
  const control = await api.create({ ...node, parentId: site.source, _class: `${MODEL}.point.TextControlPoint` });
  const attachment = await api.upload(files._id, 'a file', 'a.txt');
  const place: Place = { ...site, attachment: attachment._id, control: control._id };
  await api.post(`/nodes/${site.workspace}/security/subscribe`, { users: [{ user: OTHER, role: 'View' }] });
  const single = Object.keys(BY_PERMISSION).filter((permission) => permission !== 'VIEW');
  const made = await Promise.all([
    ...['Manage', 'Configure', 'Operate', 'View'].map(async (role) => ({ role, permission: 'MODIFY' })),
    ...single.map(async (permission) => {
      const role = `${permission} of ${word}`;
      await api.post('/owners/account/roles', { name: role, permissions: [permission] });
      return { role, permission: 'MODIFY' };
    }),
    { role: 'Manage', permission: 'READ_ONLY' },
  ]);
  const people = [];
  for (const [n, { role, permission }] of made.entries()) {
    const user = `person.${n}.${word.toLowerCase().replaceAll(/[^a-z0-9]/g, '')}@example.org`;
    await api.post(`/nodes/${place.workspace}/security/subscribe`, { users: [{ user, role }] });
    const key = await api.post('/owners/account/apikeys', {
      label: 'Field',
      permission,
      accessLevel: 'WORKSPACES',
      user,
    });
    if (key.status !== 201) throw new Error(`no key was made: ${key.text}`);
    people.push({ name: `${role}, ${permission}`, user, key: String(key.json.key) });
  }
  return { place, people };
}
