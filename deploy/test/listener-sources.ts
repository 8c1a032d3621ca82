import { setTimeout as wait } from 'node:timers/promises';
import { HttpClient } from './http-client.ts';

const MODEL = 'io.svc.models.node';
const PASSWORD = 'of the listeners test';
const MESSAGES = 20;
const TEXT_ROWS = 3;

/** The container of a client brings data to a source, and this many records of a parameter come of it. */
type ListenerSource = {
  readonly name: string;
  readonly sourceId: string;
  readonly records: number;
  readonly client: { readonly args: string[]; readonly env: Readonly<Record<string, string>> };
};

/** These attributes are read here. */
type Node = { readonly _id: string; readonly name: string; readonly transport: { readonly key: string } };
type Device = { readonly deviceKey: string; readonly secret: string };
type Records = { readonly data?: readonly unknown[] };

/** Asks the API of a release, with the administration key of its first account. */
export class ApiOfRelease {
  readonly #client: HttpClient;

  constructor(url: string, key: string) {
    this.#client = new HttpClient({ url, key });
  }

  /** @throws Error with the answer when it is none of success */
  async send<T>(method: 'GET' | 'POST', path: string, body?: object): Promise<T> {
    const { status, text } = await this.#client.send(method, path, body);
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
    return JSON.parse(text) as T;
  }

  /** Waits until a parameter of the source has this many records. @returns how many it has in the end */
  async untilRecords(sourceId: string, records: number, limitMs: number): Promise<number> {
    const deadline = Date.now() + limitMs;
    for (;;) {
      const parameters = await this.send<Node[]>('GET', `/nodes?filter=parentId($eq:${sourceId})&attr=_id,name`);
      // A modem has series of its own state too.
      const parameter = parameters.find(({ name }) => !name.startsWith('Status - '));
      const range = 'startTime=2020-01-01T00:00:00Z&endTime=2100-01-01T00:00:00Z&limit=1000';
      const read = parameter && (await this.send<Records>('GET', `/nodes/${parameter._id}/historic?${range}`));
      const found = (read?.data ?? []).length;
      if (found >= records || Date.now() > deadline) return found;
      await wait(1_000);
    }
  }
}

/** Makes a source for each kind of listener. @param hosts names of the Services */
export async function sourcesForListeners(
  api: ApiOfRelease,
  hosts: { readonly modems: string; readonly listeners: string },
): Promise<ListenerSource[]> {
  const create = (name: string, body: object) => api.send<Node>('POST', '/nodes', { ...body, name });
  const workspace = await create('Listeners', { _class: `${MODEL}.Workspace` });
  const location = await create('Site', { _class: `${MODEL}.location.Location`, parentId: workspace._id });
  const source = async (name: string, kind: string, transport: string, fields: object) => {
    const { _id } = await create(name, {
      _class: `${MODEL}.source.data.${kind}`,
      parentId: location._id,
      transport: { _class: `${MODEL}.transport.${transport}`, ...fields },
    });
    const { transport: made } = await api.send<Node>('GET', `/nodes/${_id}`);
    return { sourceId: _id, key: made.key };
  };
  const text = async (name: string, transport: string, fields: object, script: string): Promise<ListenerSource> => {
    const { sourceId, key } = await source(name, 'TextParser', transport, fields);
    const args = ['node', '--input-type=module', '--eval', `${TEXT}\n${script}`];
    return { name, sourceId, records: TEXT_ROWS, client: { args, env: { KEY: key, PASSWORD, HOST: hosts.listeners } } };
  };
  const mqtt = await source('mqtt', 'Jts', 'Mqtt', { authentication: 'CONNECT', password: PASSWORD });
  const device = await api.send<Device>('POST', '/devices', { workspaceId: workspace._id });
  const modem = await source('modem', 'Jts', 'Scout', { deviceId: device.deviceKey });
  return [
    {
      name: 'mqtt',
      sourceId: mqtt.sourceId,
      records: MESSAGES,
      client: simulated(
        ['mqtt', '--host', hosts.listeners, '--port', '8883', '--key', mqtt.key, '--interval', '100', '--quiet'],
        { MQTT_PASSWORD: PASSWORD },
      ),
    },
    {
      name: 'modem',
      sourceId: modem.sourceId,
      records: MESSAGES,
      client: simulated(
        ['modem', '--host', hosts.modems, '--port', '4334', '--key', device.deviceKey, '--interval', '1'],
        { MODEM_SECRET: device.secret },
      ),
    },
    await text('ftps', 'FtpUpload', { password: PASSWORD }, FTPS),
    await text('sftp', 'SftpUpload', { password: PASSWORD }, SFTP),
    await text('smtp', 'Email', {}, SMTP),
  ];
}

const simulated = (args: string[], env: Readonly<Record<string, string>>) => ({
  args: ['catchment', 'simulate', ...args, '--tls', '--messages', String(MESSAGES)],
  env,
});

const TEXT = `
import { Readable } from 'node:stream';
const { KEY, PASSWORD, HOST } = process.env;
const text = 'Time,Level\\n2026-01-01T00:00:00Z,1.5\\n2026-01-01T00:10:00Z,1.6\\n2026-01-01T00:20:00Z,1.7\\n';
const name = 'level.csv';
`;
const FTPS = `
import { Client } from 'basic-ftp';
const client = new Client(30_000);
await client.access({ host: HOST, port: 990, user: KEY, password: PASSWORD, secure: 'implicit' });
await client.uploadFrom(Readable.from([text]), name);
client.close();
console.log('uploaded by FTPS');
`;
const SFTP = `
import ssh2 from 'ssh2';
const client = new ssh2.Client();
await new Promise((resolve, reject) => client.on('ready', resolve).on('error', reject)
  .connect({ host: HOST, port: 22, username: KEY, password: PASSWORD, readyTimeout: 30_000 }));
const sftp = await new Promise((resolve, reject) => client.sftp((error, found) => error ? reject(error) : resolve(found)));
await new Promise((resolve, reject) => sftp.writeFile(name, text, (error) => error ? reject(error) : resolve()));
client.end();
console.log('uploaded by SFTP');
`;
const SMTP = `
import { createTransport } from 'nodemailer';
const mail = createTransport({ host: HOST, port: 25, requireTLS: true });
const { response } = await mail.sendMail({
  from: 'logger@example.org', to: 'upload+' + KEY + '@data.example.org', subject: 'data', text: 'data',
  attachments: [{ filename: name, content: text }],
});
console.log(response);
`;
