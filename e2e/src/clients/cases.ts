// Scripts of loggers do this, with clients that others wrote.
import path from 'node:path';
import { type Ended, run, type Tools } from './tools.ts';

export type Place = {
  readonly url: string;
  /** The key is the name of the listener; `ftps` and `mqtts` have TLS from the beginning. */
  readonly ports: Readonly<Record<string, number>>;
  /** The authority with this file signed the certificate of the listeners. */
  readonly authority: string;
  /** The files are `day.csv` of 3 records, `x.tmp` the same, `large.bin`. */
  readonly folder: string;
  readonly tools: Tools;
};
export type Login = { readonly key: string; readonly password: string };

export type Case = {
  readonly name: string;
  readonly transport: 'SftpUpload' | 'FtpUpload' | 'HttpUpload' | 'Mqtt';
  /**
   * The source has this kind, and this is to be there: records of a text, of documents, or an attachment that is the same as `large.bin`.
   */
  readonly kind: 'TEXT' | 'DOCUMENTS' | 'SPARKPLUG' | 'LARGE';
  readonly needs: readonly string[];
  readonly run: (place: Place, login: Login) => Promise<Ended>;
};

export const PASSWORD = 'correct-horse';
const HOST = '127.0.0.1';
const SSH_OPTIONS = ['-o', 'StrictHostKeyChecking=no', '-o', 'UserKnownHostsFile=/dev/null', '-o', 'LogLevel=ERROR'];

const ssh = (program: string, { ports }: Place, { password }: Login, args: readonly string[], input?: string) =>
  run(
    'sshpass',
    ['-p', password, program, '-P', String(ports.sftp), ...SSH_OPTIONS, ...args],
    input === undefined ? {} : { input },
  );
const scp = (place: Place, login: Login, file: string, ...options: string[]) =>
  ssh('scp', place, login, [...options, path.join(place.folder, file), `${login.key}@${HOST}:incoming`]);
const sftp = (place: Place, login: Login, commands: readonly string[]) =>
  // The program that gives the password is asked in batch mode too.
  ssh('sftp', place, login, ['-o', 'BatchMode=no', '-b', '-', `${login.key}@${HOST}`], `${commands.join('\n')}\n`);
const curl = (place: Place, { key, password }: Login, url: string, file: string, ...options: string[]) =>
  run('curl', [
    '-sS',
    '--max-time',
    '280',
    '-u',
    `${key}:${password}`,
    '-T',
    path.join(place.folder, file),
    '--cacert',
    place.authority,
    ...options,
    url,
  ]);
const lftp = ({ folder, authority }: Place, { key, password }: Login, url: string, commands: readonly string[]) =>
  run('lftp', [
    '-c',
    [
      `set net:max-retries 1; set net:timeout 60; set ssl:ca-file ${authority}; set ssl:check-hostname no`,
      'set sftp:auto-confirm yes; set cmd:fail-exit yes',
      `open -u ${key},${password} ${url}`,
      `lcd ${folder}`,
      ...commands,
    ].join('; '),
  ]);
const LFTP_SCRIPT = [
  'mkdir -f incoming',
  'cd incoming',
  'put x.tmp',
  'mv x.tmp day.csv',
  'cls -l day.csv',
  'chmod 644 day.csv',
];
const python = ({ tools }: Place, text: string, env: NodeJS.ProcessEnv) => run(tools.python, ['-c', text], { env });
const node = ({ tools }: Place, text: string, env: NodeJS.ProcessEnv) =>
  run(process.execPath, ['--input-type=commonjs', '-e', text], { env: { ...env, NODE_PATH: tools.modules } });
const given = (place: Place, { key, password }: Login): NodeJS.ProcessEnv => ({
  KEY: key,
  PASSWORD: password,
  FOLDER: place.folder,
  AUTHORITY: place.authority,
  SFTP: String(place.ports.sftp),
  MQTT: String(place.ports.mqtt),
  MQTTS: String(place.ports.mqtts),
});

const DOCUMENT = JSON.stringify({
  docType: 'jts',
  version: '1.0',
  header: { columns: { 0: { name: 'level', series: 'level', dataType: 'NUMBER' } } },
  data: [0, 1, 2].map((minute) => ({ ts: `2026-01-02T03:0${minute}:00Z`, f: { 0: { v: minute } } })),
});
const mosquitto = (
  { ports, authority }: Place,
  { key, password }: Login,
  {
    version,
    isTls,
    topic = 'mill/level',
    user = key,
  }: { readonly version: string; readonly isTls: boolean; readonly topic?: string; readonly user?: string },
) =>
  run('mosquitto_pub', [
    '-h',
    '127.0.0.1',
    '-p',
    String(isTls ? ports.mqtts : ports.mqtt),
    '-V',
    version,
    '-q',
    '1',
    '-u',
    user,
    '-P',
    password,
    ...(isTls ? ['--cafile', authority] : []),
    '-t',
    topic,
    '-m',
    DOCUMENT,
  ]);

const PARAMIKO = `
import os, paramiko
t = paramiko.Transport(('127.0.0.1', int(os.environ['SFTP'])))
t.connect(username=os.environ['KEY'], password=os.environ['PASSWORD'])
s = paramiko.SFTPClient.from_transport(t)
`;
const PAHO = `
import os, paho.mqtt.client as mqtt
c = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2, protocol=getattr(mqtt, os.environ['PROTOCOL']))
c.username_pw_set(os.environ['KEY'], os.environ['PASSWORD'])
tls = 'TLS' in os.environ
if tls: c.tls_set(os.environ['AUTHORITY'])
c.connect('127.0.0.1', int(os.environ['MQTTS' if tls else 'MQTT'])); c.loop_start()
m = c.publish('mill/level', os.environ['DOCUMENT'], qos=int(os.environ['QOS'])); m.wait_for_publish(30)
assert m.is_published()
c.disconnect(); c.loop_stop()
`;
const paho = (place: Place, login: Login, protocol: string, qos: number, isTls: boolean) =>
  python(place, PAHO, {
    ...given(place, login),
    DOCUMENT,
    PROTOCOL: protocol,
    QOS: String(qos),
    ...(isTls && { TLS: '1' }),
  });
const MQTT_JS = `
const mqtt = require('mqtt');
const c = mqtt.connect('mqtt://127.0.0.1:' + process.env.MQTT, { username: process.env.KEY, password: process.env.PASSWORD, protocolVersion: Number(process.env.VERSION), reconnectPeriod: 0 });
c.on('error', (error) => { console.error(error.message); process.exit(1); });
c.on('connect', () => c.publish('mill/level', process.env.DOCUMENT, { qos: 2 }, (error) => { if (error) { console.error(error.message); process.exit(1); } c.end(() => process.exit(0)); }));
`;
const SPARKPLUG = `
const { newClient } = require('sparkplug-client');
const c = newClient({ serverUrl: 'mqtt://127.0.0.1:' + process.env.MQTT, username: process.env.KEY, password: process.env.PASSWORD, groupId: 'Mills', edgeNode: 'Gate', clientId: 'gate', version: 'spBv1.0', keepalive: 30 });
const at = Date.UTC(2026, 0, 2, 3, 0);
const level = (minute) => ({ timestamp: at + minute * 60000, metrics: [{ name: 'level', type: 'Double', value: minute, timestamp: at + minute * 60000 }] });
const options = process.env.ALGORITHM ? { compress: true, algorithm: process.env.ALGORITHM } : undefined;
c.on('error', (error) => { console.error(error.message ?? error); process.exit(1); });
c.once('birth', () => {
  c.publishNodeBirth(level(0), options);
  c.publishNodeData(level(1), options);
  c.publishNodeData(level(2), options);
  c.client.publish('spBv1.0/Mills/NDATA/Gate', '', { qos: 1 }, () => { c.stop(); setTimeout(() => process.exit(0), 500); });
});
`;
const SSH2 = `
const { Client } = require('ssh2');
const c = new Client();
c.on('error', (error) => { console.error(error.message); process.exit(1); });
c.on('ready', () => c.sftp((error, sftp) => {
  if (error) throw error;
  const step = { concurrency: Number(process.env.CONCURRENCY) };
  sftp.fastPut(process.env.FOLDER + '/large.bin', '/large.bin', step, (failed) => { if (failed) { console.error(failed.message); process.exit(1); } c.end(); });
}));
c.connect({ host: '127.0.0.1', port: Number(process.env.SFTP), username: process.env.KEY, password: process.env.PASSWORD });
`;

const SSH = ['sshpass'] as const;
const text = (name: string, transport: Case['transport'], needs: readonly string[], work: Case['run']): Case => ({
  name,
  transport,
  kind: 'TEXT',
  needs,
  run: work,
});
const large = (
  name: string,
  needs: readonly string[],
  work: Case['run'],
  transport: Case['transport'] = 'SftpUpload',
): Case => ({ name, transport, kind: 'LARGE', needs, run: work });
const documents = (name: string, needs: readonly string[], work: Case['run']): Case => ({
  name,
  transport: 'Mqtt',
  kind: 'DOCUMENTS',
  needs,
  run: work,
});

export const CASES: readonly Case[] = [
  text('scp', 'SftpUpload', ['scp', ...SSH], (place, login) => scp(place, login, 'day.csv')),
  text('scp -p', 'SftpUpload', ['scp', ...SSH], (place, login) => scp(place, login, 'day.csv', '-p')),
  text('scp -O', 'SftpUpload', ['scp', ...SSH], (place, login) => scp(place, login, 'day.csv', '-O')),
  text('scp -O -p', 'SftpUpload', ['scp', ...SSH], (place, login) => scp(place, login, 'day.csv', '-O', '-p')),
  text('sftp -b', 'SftpUpload', ['sftp', ...SSH], (place, login) =>
    sftp(place, login, [
      'cd incoming',
      '-mkdir incoming',
      `lcd ${place.folder}`,
      'put -p x.tmp',
      'ls -l x.tmp',
      '-rm day.csv',
      'rename x.tmp day.csv',
      'chmod 644 day.csv',
      'ls -l',
      'pwd',
    ]),
  ),
  text('lftp sftp', 'SftpUpload', ['lftp'], (place, login) =>
    lftp(place, login, `sftp://${HOST}:${place.ports.sftp}`, LFTP_SCRIPT),
  ),
  text('lftp ftp', 'FtpUpload', ['lftp'], (place, login) =>
    lftp(place, login, `ftp://${HOST}:${place.ports.ftp}`, ['set ftp:ssl-allow no', ...LFTP_SCRIPT]),
  ),
  text('lftp ftp, active', 'FtpUpload', ['lftp'], (place, login) =>
    lftp(place, login, `ftp://${HOST}:${place.ports.ftp}`, [
      'set ftp:ssl-allow no',
      'set ftp:passive-mode no',
      ...LFTP_SCRIPT,
    ]),
  ),
  text('lftp ftp, AUTH TLS', 'FtpUpload', ['lftp'], (place, login) =>
    lftp(place, login, `ftp://${HOST}:${place.ports.ftp}`, [
      'set ftp:ssl-force yes',
      'set ftp:ssl-protect-data yes',
      ...LFTP_SCRIPT,
    ]),
  ),
  text('lftp ftps', 'FtpUpload', ['lftp'], (place, login) =>
    lftp(place, login, `ftps://${HOST}:${place.ports.ftps}`, LFTP_SCRIPT),
  ),
  text('curl ftp', 'FtpUpload', ['curl'], (place, login) =>
    curl(
      place,
      login,
      `ftp://${HOST}:${place.ports.ftp}/incoming/x.tmp`,
      'day.csv',
      '--ftp-create-dirs',
      '-Q',
      '-RNFR x.tmp',
      '-Q',
      '-RNTO day.csv',
    ),
  ),
  text('curl ftp, active', 'FtpUpload', ['curl'], (place, login) =>
    curl(place, login, `ftp://${HOST}:${place.ports.ftp}/day.csv`, 'day.csv', '--ftp-port', '-'),
  ),
  text('curl ftp, AUTH TLS', 'FtpUpload', ['curl'], (place, login) =>
    curl(place, login, `ftp://127.0.0.1:${place.ports.ftp}/day.csv`, 'day.csv', '--ssl-reqd'),
  ),
  text('curl ftps', 'FtpUpload', ['curl'], (place, login) =>
    curl(place, login, `ftps://127.0.0.1:${place.ports.ftps}/day.csv`, 'day.csv'),
  ),
  text('curl sftp', 'SftpUpload', ['curl', 'curl with sftp'], (place, login) =>
    curl(place, login, `sftp://${HOST}:${place.ports.sftp}/incoming/day.csv`, 'day.csv', '-k', '--ftp-create-dirs'),
  ),
  text('curl scp', 'SftpUpload', ['curl', 'curl with scp'], (place, login) =>
    curl(place, login, `scp://${HOST}:${place.ports.sftp}/incoming/day.csv`, 'day.csv', '-k'),
  ),
  text('curl http, PUT body', 'HttpUpload', ['curl'], (place, login) =>
    curl(place, login, `${place.url}/upload/source/${login.key}?name=day.csv`, 'day.csv', '-X', 'POST', '--fail'),
  ),
  text('curl http, --data-binary', 'HttpUpload', ['curl'], ({ url, folder }, { key, password }) =>
    run('curl', [
      '-sS',
      '--fail',
      '-u',
      `logger:${password}`,
      '--data-binary',
      `@${folder}/day.csv`,
      '-H',
      'Content-Type: text/csv',
      `${url}/upload/source/${key}?name=day.csv`,
    ]),
  ),
  text('paramiko put', 'SftpUpload', ['python'], (place, login) =>
    python(
      place,
      `${PARAMIKO}\ns.chdir('incoming') if s.stat('incoming') else None\ns.put(os.environ['FOLDER'] + '/day.csv', 'x.tmp', confirm=True)\ns.utime('x.tmp', (1, 1)); assert s.stat('x.tmp').st_mtime == 1\ns.posix_rename('x.tmp', 'day.csv'); assert s.listdir() == ['day.csv'], s.listdir()\nt.close()`,
      given(place, login),
    ),
  ),
  ...(['mqttv311', 'mqttv5'] as const).flatMap((version) =>
    [false, true].map((isTls) =>
      documents(`mosquitto_pub ${version}${isTls ? ', TLS' : ''}`, ['mosquitto_pub'], (place, login) =>
        mosquitto(place, login, { version, isTls }),
      ),
    ),
  ),
  documents('mosquitto_pub, another user name', ['mosquitto_pub'], (place, login) =>
    mosquitto(place, login, {
      version: 'mqttv311',
      isTls: false,
      topic: `io/svc/source/${login.key}`,
      user: 'Field station 7',
    }),
  ),
  documents('paho 3.1.1', ['python'], (place, login) => paho(place, login, 'MQTTv311', 1, false)),
  documents('paho 5', ['python'], (place, login) => paho(place, login, 'MQTTv5', 2, false)),
  documents('paho 5, TLS', ['python'], (place, login) => paho(place, login, 'MQTTv5', 1, true)),
  ...[4, 5].map((version) =>
    documents(`MQTT.js ${version === 4 ? '3.1.1' : '5'}`, ['npm'], (place, login) =>
      node(place, MQTT_JS, { ...given(place, login), DOCUMENT, VERSION: String(version) }),
    ),
  ),
  ...['', 'DEFLATE', 'GZIP'].map(
    (algorithm): Case => ({
      name: `sparkplug-client${algorithm && `, ${algorithm}`}`,
      transport: 'Mqtt',
      kind: 'SPARKPLUG',
      needs: ['npm'],
      run: (place, login) => node(place, SPARKPLUG, { ...given(place, login), ALGORITHM: algorithm }),
    }),
  ),
  large('large: scp', ['scp', ...SSH], (place, login) => scp(place, login, 'large.bin')),
  large('large: scp -O', ['scp', ...SSH], (place, login) => scp(place, login, 'large.bin', '-O')),
  large('large: sftp -b', ['sftp', ...SSH], (place, login) => sftp(place, login, [`put ${place.folder}/large.bin`])),
  large('large: sftp -R 256', ['sftp', ...SSH], (place, login) =>
    ssh(
      'sftp',
      place,
      login,
      ['-R', '256', '-o', 'BatchMode=no', '-b', '-', `${login.key}@${HOST}`],
      `put ${place.folder}/large.bin\n`,
    ),
  ),
  large('large: lftp sftp', ['lftp'], (place, login) =>
    lftp(place, login, `sftp://${HOST}:${place.ports.sftp}`, ['put large.bin']),
  ),
  large('large: curl sftp', ['curl', 'curl with sftp'], (place, login) =>
    curl(place, login, `sftp://${HOST}:${place.ports.sftp}/large.bin`, 'large.bin', '-k'),
  ),
  ...['64', '256'].map((concurrency) =>
    large(`large: ssh2 fastPut, ${concurrency} requests`, ['npm'], (place, login) =>
      node(place, SSH2, { ...given(place, login), CONCURRENCY: concurrency }),
    ),
  ),
  large('large: paramiko put, pipelined', ['python'], (place, login) =>
    python(
      place,
      `${PARAMIKO}\ns.put(os.environ['FOLDER'] + '/large.bin', '/large.bin')\nt.close()`,
      given(place, login),
    ),
  ),
  large(
    'large: lftp ftp',
    ['lftp'],
    (place, login) => lftp(place, login, `ftp://${HOST}:${place.ports.ftp}`, ['set ftp:ssl-allow no', 'put large.bin']),
    'FtpUpload',
  ),
  large(
    'large: curl http',
    ['curl'],
    (place, login) =>
      curl(place, login, `${place.url}/upload/source/${login.key}?name=large.bin`, 'large.bin', '-X', 'POST', '--fail'),
    'HttpUpload',
  ),
];
