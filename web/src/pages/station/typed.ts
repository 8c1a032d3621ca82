import { start } from '../../data/session/session.ts';
import { type Draft, secrets } from './draft.ts';
import { madeId } from './make.ts';
import { wayOf } from './ways.ts';
import { say } from './words.ts';

export type Line = {
  /** Names the label in the words. */
  readonly key: string;
  /** Undefined once it cannot be shown. */
  readonly value: string | undefined;
  readonly isOnce?: boolean;
};

/** Finds where a listener is: as the operator says, otherwise at the host of this page. */
function placeOf(listener: string): readonly Line[] {
  const { deviceAddresses, devicePorts } = start();
  const named = deviceAddresses[listener] ?? `${location.hostname}:${devicePorts[listener]}`;
  const [, host = named, port = ''] = /^(.*):(\d+)$/.exec(named) ?? [];
  return [
    { key: 'host', value: host },
    { key: 'port', value: port },
  ];
}

const upload = (): string => (start().uploadUrl ?? `${location.origin}/upload`).replace(/\/+$/, '');

/** Lists what is to be typed into the station, by the way of its data. */
export function typedOf(d: Draft): readonly Line[] {
  const text = say();
  const way = wayOf(d.way);
  const transport = d.transport ?? {};
  const key = String(transport.key ?? '');
  const secret = (name: string): string | undefined => {
    const value = secrets.value[name];
    return value === undefined || value === '' ? undefined : value;
  };
  const login = (listener: string): readonly Line[] => [
    ...placeOf(listener),
    { key: 'user', value: key },
    { key: 'password', value: secret('password'), isOnce: true },
  ];
  const { deviceAddresses, classNamespace } = start();
  switch (way?.key) {
    case 'httpUpload': {
      const address = `${upload()}/source/${key}`;
      return [
        { key: 'address', value: address },
        { key: 'command', value: `curl --data-binary @data.csv '${address}?name=data.csv'` },
      ];
    }
    case 'ftpUpload':
      return login('ftp');
    case 'sftpUpload':
      return login('sftp');
    case 'mail':
      return [{ key: 'address', value: `upload+${key}@${deviceAddresses.mail ?? location.hostname}` }];
    case 'sms':
      return [{ key: 'text', value: `${key}\n2026-05-01 06:00,4.2` }];
    case 'mqtt':
      return [
        ...placeOf('mqtt'),
        { key: 'user', value: key },
        { key: 'topic', value: `${classNamespace.replaceAll('.', '/')}/source/${key}` },
        { key: 'message', value: JTS },
      ];
    case 'lorawan':
      return [{ key: 'address', value: `${upload()}/lorawan/${key}` }];
    case 'api':
      return [
        { key: 'address', value: `PUT ${location.origin}/api/v1/nodes/${madeId(d, 'source')}/historic` },
        { key: 'header', value: `X-Api-Key: ${text.apiKey}` },
        { key: 'message', value: JTS },
      ];
    case 'modem':
      return [
        ...placeOf('scout'),
        { key: 'deviceKey', value: d.settings.madeDeviceKey ?? '' },
        { key: 'secret', value: secret('deviceSecret'), isOnce: true },
      ];
    case 'callback':
      return [...placeOf('callback'), { key: 'firstLine', value: d.settings.deviceId ?? '' }];
    case 'waterlog':
    case 'waspmote':
      return [...placeOf(way.key), { key: 'siteId', value: String(transport.siteId ?? '') }];
    case 'sensorlog':
      return [
        { key: 'address', value: `${upload()}/sensorlog` },
        { key: 'siteId', value: String(transport.siteId ?? '') },
      ];
    default:
      return [];
  }
}

/** docs/reference/records-and-documents.md#jts-documents. */
const JTS = JSON.stringify({
  docType: 'jts',
  version: '1.0',
  header: { columns: { 0: { name: 'Level', units: 'm', dataType: 'NUMBER' } } },
  data: [{ ts: '2026-05-01T06:00:00Z', f: { 0: { v: 4.2 } } }],
});
