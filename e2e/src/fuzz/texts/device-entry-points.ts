import { connect } from 'node:net';
import { until } from '@catchment/testkit';
import { connectAsync } from 'mqtt';
import { createTransport } from 'nodemailer';
import type { EntryPoint, Reply } from './entry-point.ts';
import type { Scene } from './scene.ts';

const START = Date.UTC(2024, 0, 1);
const at = (n: number) => new Date(START + n * 60_000).toISOString();
const indexOf = (ts: string) => (Date.parse(ts) - START) / 60_000;
const document = (v: string, n: number) => ({
  docType: 'jts',
  header: { columns: { 0: { series: 'Text', dataType: 'TEXT' }, 1: { series: 'Count' } } },
  data: [{ ts: at(n), f: { 0: { v }, 1: { v: n } } }],
});

/** Reads the texts that a source has in one of its series, by the minutes of their records. */
const keptOf =
  ({ api }: Scene, sourceId: string, name: string) =>
  async (): Promise<ReadonlyMap<number, string>> => {
    const list = (await api.get(`/nodes?filter=parentId($eq:${sourceId})&attr=_id,name`)).json;
    const point = list.find((node: { name: string }) => node.name === name);
    if (!point) return new Map();
    const path = `/nodes/${point._id}/historic?startTime=2023-01-01T00:00:00Z&endTime=2025-01-01T00:00:00Z`;
    const { data = [] } = (await api.get(path)).json;
    return new Map(
      data.flatMap(({ ts, f }: { ts: string; f: Record<string, { v?: string }> }) =>
        f[0]?.v === undefined ? [] : [[indexOf(ts), f[0].v]],
      ),
    );
  };

const hasEvent =
  ({ api }: Scene, nodeId: string, text: string) =>
  async (): Promise<boolean> =>
    (await api.get(`/nodes/${nodeId}/events?limit=1000`)).text.includes(text);

const replied = async (answer: Response): Promise<Reply> => {
  const said = `${answer.status} ${(await answer.text()).slice(0, 300)}`;
  return { kind: answer.ok ? 'taken' : answer.status < 500 ? 'refused' : 'broken', said };
};

async function mqttEntryPoint(scene: Scene): Promise<EntryPoint & AsyncDisposable> {
  const client = await connectAsync(`mqtt://127.0.0.1:${await scene.installation.listener('mqtt')}`, {
    protocolVersion: 5,
    username: scene.keys.mqtt,
  });
  client.on('error', () => {});
  return {
    name: 'MQTT',
    names: ['data[0].f.0.v', 'code: 153', '153'],
    longest: 500_000,
    send: async (text, n) => {
      try {
        await client.publishAsync('data', JSON.stringify(document(text, n)), { qos: 1 });
        return { kind: 'taken', said: 'PUBACK' };
      } catch (error) {
        const { code, message } = error as Error & { code?: number };
        return { kind: code === 0x99 ? 'refused' : 'broken', said: `${message} ${code}` };
      }
    },
    kept: keptOf(scene, scene.ids.mqtt, 'Text'),
    [Symbol.asyncDispose]: () => client.endAsync(true),
  };
}

function modemEntryPoint(scene: Scene, port: number): EntryPoint & AsyncDisposable {
  const socket = connect(port, '127.0.0.1');
  const answers = new Map<number, { type: string; message?: string }>();
  let rest = '';
  socket.on('error', () => {});
  socket.on('data', (chunk) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const answer = JSON.parse(line);
      if (typeof answer.seq === 'number') answers.set(answer.seq, answer);
    }
  });
  const send = (message: object) => socket.write(`${JSON.stringify(message)}\n`);
  send({ type: 'ident', ...scene.modem });
  return {
    name: 'modem',
    names: ['data[0].f.0.v', 'message', 'text'],
    longest: 100_000,
    send: async (text, n) => {
      const seq = n + 1;
      send({ type: 'log', level: 'ERROR', message: text });
      send({ type: 'data', seq, jts: document(text, n) });
      const answer = await until(() => answers.get(seq), { deadlineMs: 60_000, what: `modem: ${seq} is answered` });
      const kind = { ack: 'taken', nack: 'refused' } as const;
      return { kind: kind[answer.type as 'ack'] ?? 'broken', said: JSON.stringify(answer).slice(0, 300) };
    },
    kept: keptOf(scene, scene.ids.modem, 'Text'),
    [Symbol.asyncDispose]: async () => void socket.destroy(),
  };
}

function lorawanEntryPoints(scene: Scene): EntryPoint[] {
  const { url } = scene.installation;
  const uplink = (n: number, payload: object) => ({
    end_device_ids: { dev_eui: '0004A30B001C0530' },
    uplink_message: { f_port: 2, f_cnt: n, received_at: at(n), ...payload },
  });
  const post = async (key: string, body: object) =>
    replied(await fetch(`${url}/upload/lorawan/${key}`, { method: 'POST', body: JSON.stringify(body) }));
  return [
    {
      name: 'LoRaWAN, decoded by the network',
      names: ['uplink_message', 'decoded_payload', 'large'],
      longest: 60_000,
      send: (text, n) => post(scene.keys.lorawan, uplink(n, { decoded_payload: { text, count: n } })),
      kept: keptOf(scene, scene.ids.lorawan, 'text'),
    },
    {
      name: 'LoRaWAN, decoded by a decoder',
      names: ['payload', 'large'],
      longest: 1_000,
      // The dataAlarm names it.
      reportsLater: true,
      send: (text, n) =>
        post(scene.keys.decoder, uplink(n, { frm_payload: Buffer.from(text, 'utf16le').toString('base64') })),
      kept: keptOf(scene, scene.ids.decoder, 'text'),
      hasReported: hasEvent(scene, scene.ids.decoder, 'U+0000'),
    },
  ];
}

/** Makes a file with the text in a field of its own line, between two good ones. */
const fileOf = (text: string, n: number) =>
  Buffer.from(
    `time,Text,Count\n${at(3 * n)},dry,1\n${at(3 * n + 1)},"${text.replaceAll('"', '""')}",2\n${at(3 * n + 2)},wet,3\n`,
  );
/** Returns the records of the middle lines; fields are trimmed. */
const ofMiddles = (kept: () => Promise<ReadonlyMap<number, string>>) => async () =>
  new Map([...(await kept())].flatMap(([n, text]) => (n % 3 === 1 ? [[(n - 1) / 3, text] as const] : [])));
const asField = (text: string): string => text.toWellFormed().trim();

function fileEntryPoints(scene: Scene, mailPort: number): EntryPoint[] {
  const { installation, keys, ids } = scene;
  const mailer = createTransport({
    host: '127.0.0.1',
    port: mailPort,
    secure: false,
    tls: { rejectUnauthorized: false },
  });
  return [
    {
      name: 'file by HTTP',
      names: ['file', 'name'],
      longest: 9_000,
      reportsLater: true,
      keeps: asField,
      send: async (text, n) =>
        replied(
          await fetch(`${installation.url}/upload/source/${keys.upload}?name=${n}.csv`, {
            method: 'POST',
            body: fileOf(text, n),
          }),
        ),
      kept: ofMiddles(keptOf(scene, ids.upload, 'Text')),
    },
    {
      name: 'file by mail',
      names: ['name', 'attachment', '55'],
      longest: 9_000,
      reportsLater: true,
      keeps: asField,
      send: async (text, n) => {
        const name = text.toWellFormed().slice(0, 60);
        try {
          await mailer.sendMail({
            envelope: { from: 'logger@example.org', to: `upload+${keys.mail}@${MAIL_DOMAIN}` },
            subject: name,
            text: 'x',
            attachments: [{ filename: `${name}.csv`, content: fileOf(text, n) }],
          });
          return { kind: 'taken', said: '250' };
        } catch (error) {
          const { responseCode = 0, message } = error as Error & { responseCode?: number };
          return { kind: responseCode >= 550 ? 'refused' : 'broken', said: `${responseCode} ${message}` };
        }
      },
      kept: ofMiddles(keptOf(scene, ids.mail, 'Text')),
    },
  ];
}

export const MAIL_DOMAIN = 'mail.example.org';

/** Returns a program that gives a text for a number: its processAlarm reports what cannot be kept. */
export const programOf = (texts: readonly string[]): string =>
  `var texts = ${asciiOf(JSON.stringify(texts))};\nreturn texts[NUMBER('Input')];`;

/** Programs have no control characters: each unit that is none of ASCII is an escape. */
const asciiOf = (json: string): string =>
  json.replaceAll(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

function programEntryPoint(scene: Scene): EntryPoint {
  const { api, ids } = scene;
  return {
    name: 'program',
    names: ['value'],
    longest: 1_000,
    reportsLater: true,
    send: async (_text, n) => {
      const { status, text } = await api.put(`/nodes/${ids.input}/historic`, {
        docType: 'jts',
        data: [{ ts: at(n), f: { 0: { v: n } } }],
      });
      return { kind: status === 202 ? 'taken' : 'broken', said: `${status} ${text.slice(0, 200)}` };
    },
    kept: async () => {
      const path = `/nodes/${ids.process}/historic?startTime=2023-01-01T00:00:00Z&endTime=2025-01-01T00:00:00Z`;
      const { data = [] } = (await api.get(path)).json;
      return new Map(data.map(({ ts, f }: { ts: string; f: Record<string, { v: string }> }) => [indexOf(ts), f[0]?.v]));
    },
    hasReported: hasEvent(scene, ids.process, 'U+0000'),
  };
}

/** Lists everything that is no request to the API. @returns interfaces, and what closes them */
export async function deviceEntryPoints(
  scene: Scene,
): Promise<{ entryPoints: EntryPoint[]; close: () => Promise<void> }> {
  const { installation } = scene;
  const [mqtt, modem] = [await mqttEntryPoint(scene), modemEntryPoint(scene, await installation.listener('scout'))];
  const entryPoints = [
    mqtt,
    modem,
    ...lorawanEntryPoints(scene),
    ...fileEntryPoints(scene, await installation.listener('smtp')),
    programEntryPoint(scene),
  ];
  return {
    entryPoints,
    close: async () => {
      await mqtt[Symbol.asyncDispose]();
      await modem[Symbol.asyncDispose]();
    },
  };
}
