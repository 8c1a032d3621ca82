import { until } from '@catchment/testkit';
import { type Api, MODEL } from '../../api.ts';
import type { Installation } from '../../installation.ts';

/** The interfaces belong to this. */
export type Scene = {
  readonly installation: Installation;
  readonly api: Api;
  readonly ids: Readonly<Record<NodeName, string>>;
  readonly account: { readonly workspaceId: string };
  /** Keys of push transports. */
  readonly keys: Readonly<Record<'mqtt' | 'lorawan' | 'decoder' | 'upload' | 'mail', string>>;
  readonly modem: { readonly deviceKey: string; readonly secret: string };
};

type NodeName =
  | ('workspace' | 'location' | 'source' | 'columns' | 'files' | 'number' | 'text' | 'other' | 'now' | 'chart')
  | ('process' | 'input' | 'mqtt' | 'lorawan' | 'decoder' | 'upload' | 'mail' | 'modem');

const SECRET = 'the-secret-of-a-modem';

/** Makes a workspace with a node for each interface. */
export async function makeScene(installation: Installation, program: string): Promise<Scene> {
  const { api } = await installation.account({ name: 'Texts' });
  const made = async (cls: string, name: string, parentId: string, more: object = {}) =>
    (await api.create({ _class: `${MODEL}.${cls}`, name, parentId, ...more }))._id;
  const workspace = (await api.create({ _class: `${MODEL}.Workspace`, name: 'Texts' }))._id;
  const location = await made('location.Location', 'Location', workspace);
  const source = (name: string, cls = 'Jts', more: object = {}) => made(`source.data.${cls}`, name, location, more);
  const by = (name: string, more: object = {}) => ({ transport: { _class: `${MODEL}.transport.${name}`, ...more } });
  const device = await api.post('/devices', { workspaceId: workspace, secret: SECRET });
  const { deviceKey } = device.json;
  const main = await source('Source');
  const ids = {
    workspace,
    location,
    source: main,
    columns: await source('Columns'),
    files: await source('Files', 'TextParser'),
    number: await made('point.NumberPoint', 'Number', main),
    text: await made('point.TextPoint', 'Text', main, { series: 'text' }),
    other: await made('point.TextPoint', 'Other', main),
    now: await made('point.TextPoint', 'Now', main),
    chart: await made('chart.HistoricChart', 'Chart', location),
    input: await made('point.NumberPoint', 'Input', main),
    process: await made('point.TextProcessPoint', 'Process', main, { process: { code: program } }),
    mqtt: await source('Mqtt', 'Jts', by('Mqtt')),
    lorawan: await source('Lorawan', 'Jts', by('LorawanUpload', { network: 'TTS' })),
    decoder: await source('Decoder', 'Jts', by('LorawanUpload', { network: 'TTS', decoder: DECODER })),
    upload: await source('Upload', 'TextParser', by('HttpUpload')),
    mail: await source('Mail', 'TextParser', by('Email')),
    modem: await source('Modem', 'Jts', by('Scout', { deviceId: deviceKey })),
  };
  const keyOf = async (id: string): Promise<string> => (await api.get(`/nodes/${id}`)).json.transport.key;
  await until(async () => (await api.get(`/devices/${device.json._id}`)).json.datasourceId === ids.modem, {
    deadlineMs: 60_000,
  });
  return {
    installation,
    api,
    ids,
    account: { workspaceId: workspace },
    keys: {
      mqtt: await keyOf(ids.mqtt),
      lorawan: await keyOf(ids.lorawan),
      decoder: await keyOf(ids.decoder),
      upload: await keyOf(ids.upload),
      mail: await keyOf(ids.mail),
    },
    modem: { deviceKey, secret: SECRET },
  };
}

/** Payloads are UTF-16, so that halves of characters and U+0000 come out as they went in. */
const DECODER = `function decodeUplink(input) {
  var text = '';
  for (var n = 0; n + 1 < input.bytes.length; n += 2) text += String.fromCharCode(input.bytes[n] + 256 * input.bytes[n + 1]);
  return { data: { text: text, count: input.bytes.length } };
}`;
