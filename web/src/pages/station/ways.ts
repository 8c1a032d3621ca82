import type { IconName } from '../../ui/icon.tsx';

export type WayKey =
  | 'hand'
  | 'httpUpload'
  | 'ftpUpload'
  | 'sftpUpload'
  | 'mail'
  | 'sms'
  | 'ftp'
  | 'sftp'
  | 'http'
  | 's3'
  | 'modem'
  | 'callback'
  | 'pakbus'
  | 'modbus'
  | 'mqtt'
  | 'lorawan'
  | 'waterlog'
  | 'waspmote'
  | 'sensorlog'
  | 'api'
  | 'template';

export type WayField = {
  /** The API has this name; label and hint are found by it. */
  readonly name: string;
  readonly kind: 'text' | 'number' | 'secret' | 'area' | 'choice' | 'registers';
  /** The value goes here, to the transport unless it is said. */
  readonly of?: 'transport' | 'source' | 'file' | 'device';
  readonly isNeeded?: boolean;
  readonly usual?: string;
  readonly choices?: readonly string[];
};

export type Way = {
  readonly key: WayKey;
  readonly group: 'file' | 'sent' | 'fetched' | 'device';
  readonly icon: IconName;
  /** The class follows `models.node.source.data.`. */
  readonly source: string;
  /** The name follows `models.node.transport.`; absent for none. */
  readonly transport?: string;
  readonly fields: readonly WayField[];
  /** A file says how data are to be read: it must, it may, or there is none. */
  readonly file: 'needed' | 'sample' | 'none';
  /** Catchment asks by itself, and can be asked to do it now. */
  readonly asks?: boolean;
};

const PASSWORD: WayField = { name: 'password', kind: 'secret' };
const NEEDED_PASSWORD: WayField = { ...PASSWORD, isNeeded: true };
const HOST: WayField = { name: 'host', kind: 'text', isNeeded: true };
const port = (usual: string): WayField => ({ name: 'port', kind: 'number', usual });
const INTERVAL: WayField = {
  name: 'intervalSeconds',
  kind: 'choice',
  of: 'source',
  usual: '3600',
  choices: ['300', '900', '1800', '3600', '21600', '86400'],
};
const MATCH: WayField = { name: 'match', kind: 'text', of: 'file' };
const PAKBUS: readonly WayField[] = [
  { name: 'pakBusAddress', kind: 'number', of: 'source', usual: '1' },
  { name: 'securityCode', kind: 'secret', of: 'source' },
];

/** Data come to a source in these ways: all that the product has (docs/reference/acquisition.md#transports). */
export const WAYS: readonly Way[] = [
  { key: 'hand', group: 'file', icon: 'file', source: 'TextParser', fields: [], file: 'needed' },
  {
    key: 'httpUpload',
    group: 'sent',
    icon: 'up',
    source: 'TextParser',
    transport: 'HttpUpload',
    fields: [],
    file: 'sample',
  },
  {
    key: 'ftpUpload',
    group: 'sent',
    icon: 'up',
    source: 'TextParser',
    transport: 'FtpUpload',
    fields: [NEEDED_PASSWORD],
    file: 'sample',
  },
  {
    key: 'sftpUpload',
    group: 'sent',
    icon: 'up',
    source: 'TextParser',
    transport: 'SftpUpload',
    fields: [NEEDED_PASSWORD],
    file: 'sample',
  },
  {
    key: 'mail',
    group: 'sent',
    icon: 'file',
    source: 'TextParser',
    transport: 'Email',
    fields: [{ name: 'senderFilter', kind: 'text' }],
    file: 'sample',
  },
  { key: 'sms', group: 'sent', icon: 'bell', source: 'TextParser', transport: 'Sms', fields: [], file: 'sample' },
  { key: 'mqtt', group: 'sent', icon: 'pulse', source: 'Jts', transport: 'Mqtt', fields: [], file: 'none' },
  {
    key: 'lorawan',
    group: 'sent',
    icon: 'source',
    source: 'Jts',
    transport: 'LorawanUpload',
    fields: [
      { name: 'network', kind: 'choice', usual: 'TTS', choices: ['TTS', 'CHIRPSTACK'] },
      { name: 'deviceEui', kind: 'text' },
      { name: 'decoder', kind: 'area' },
    ],
    file: 'none',
  },
  { key: 'api', group: 'sent', icon: 'up', source: 'Jts', fields: [], file: 'none' },
  {
    key: 'http',
    group: 'fetched',
    icon: 'down',
    source: 'TextParser',
    transport: 'HttpDownload',
    fields: [{ name: 'url', kind: 'text', of: 'file', isNeeded: true }, INTERVAL],
    file: 'sample',
    asks: true,
  },
  {
    key: 'ftp',
    group: 'fetched',
    icon: 'down',
    source: 'TextParser',
    transport: 'FtpDownload',
    fields: [
      HOST,
      { name: 'mode', kind: 'choice', usual: 'FTP', choices: ['FTP', 'FTPS_EXPLICIT', 'FTPS_IMPLICIT'] },
      port('21'),
      { name: 'path', kind: 'text', usual: '/' },
      { name: 'user', kind: 'text', usual: 'anonymous' },
      PASSWORD,
      MATCH,
      INTERVAL,
    ],
    file: 'sample',
    asks: true,
  },
  {
    key: 'sftp',
    group: 'fetched',
    icon: 'down',
    source: 'TextParser',
    transport: 'SftpDownload',
    fields: [
      HOST,
      port('22'),
      { name: 'path', kind: 'text', usual: '/' },
      { name: 'user', kind: 'text', isNeeded: true },
      NEEDED_PASSWORD,
      { name: 'hostKey', kind: 'text' },
      MATCH,
      INTERVAL,
    ],
    file: 'sample',
    asks: true,
  },
  {
    key: 's3',
    group: 'fetched',
    icon: 'down',
    source: 'TextParser',
    transport: 'S3',
    fields: [
      { name: 'bucket', kind: 'text', isNeeded: true },
      { name: 'accessKeyId', kind: 'text', isNeeded: true },
      { name: 'secret', kind: 'secret', isNeeded: true },
      { name: 'prefix', kind: 'text' },
      { name: 'endpoint', kind: 'text' },
      MATCH,
      INTERVAL,
    ],
    file: 'sample',
    asks: true,
  },
  {
    key: 'modem',
    group: 'device',
    icon: 'source',
    source: 'Jts',
    transport: 'Scout',
    fields: [{ name: 'deviceKey', kind: 'text', of: 'device' }],
    file: 'none',
  },
  {
    key: 'callback',
    group: 'device',
    icon: 'source',
    source: 'CampbellPakBus',
    transport: 'TcpCallback',
    fields: [{ name: 'deviceId', kind: 'text', isNeeded: true }, ...PAKBUS, INTERVAL],
    file: 'none',
  },
  {
    key: 'pakbus',
    group: 'device',
    icon: 'cube',
    source: 'CampbellPakBus',
    transport: 'TcpClient',
    fields: [HOST, { ...port('6785'), isNeeded: true }, ...PAKBUS, INTERVAL],
    file: 'none',
    asks: true,
  },
  {
    key: 'modbus',
    group: 'device',
    icon: 'cube',
    source: 'Modbus',
    transport: 'TcpClient',
    fields: [
      HOST,
      { ...port('502'), isNeeded: true },
      { name: 'unitId', kind: 'number', of: 'source', usual: '1' },
      { name: 'registers', kind: 'registers', of: 'source', isNeeded: true },
      INTERVAL,
    ],
    file: 'none',
    asks: true,
  },
  {
    key: 'waterlog',
    group: 'device',
    icon: 'cube',
    source: 'WaterLog',
    transport: 'TcpServer',
    fields: [],
    file: 'none',
  },
  {
    key: 'waspmote',
    group: 'device',
    icon: 'cube',
    source: 'Waspmote',
    transport: 'TcpServer',
    fields: [{ name: 'siteId', kind: 'text' }],
    file: 'none',
  },
  {
    key: 'sensorlog',
    group: 'device',
    icon: 'person',
    source: 'SensorLog',
    transport: 'TcpServer',
    fields: [{ name: 'siteId', kind: 'text' }],
    file: 'none',
  },
  { key: 'template', group: 'file', icon: 'copy', source: '', fields: [], file: 'none' },
];

export const wayOf = (key: WayKey | undefined): Way | undefined => WAYS.find((way) => way.key === key);

export type Register = {
  readonly series: string;
  readonly table: string;
  readonly address: number;
  readonly type: string;
  readonly units: string;
};

/** Reads one register a line: `Level; HOLDING; 0; FLOAT32; m`. Returns the number of the line that is no register, otherwise all registers. */
export function registersOf(text: string): readonly Register[] | number {
  const all: Register[] = [];
  for (const [n, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const [series = '', table = '', address = '', type = '', units = ''] = line.split(';').map((part) => part.trim());
    if (series === '' || !/^\d{1,5}$/.test(address)) return n + 1;
    all.push({
      series,
      table: table.toUpperCase() || 'HOLDING',
      address: Number(address),
      type: type.toUpperCase() || 'UINT16',
      units,
    });
  }
  return all.length === 0 ? 1 : all;
}

export type Step = 'place' | 'way' | 'connection' | 'file' | 'review' | 'done';

/** Lists the steps of a way, in their order. */
export function stepsOf(way: Way | undefined): readonly Step[] {
  return [
    'place',
    'way',
    ...(way && way.fields.length > 0 ? (['connection'] as const) : []),
    ...(way && way.file !== 'none' ? (['file'] as const) : []),
    'review',
    'done',
  ];
}
