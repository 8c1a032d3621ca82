// Users of InfluxDB's clients write this, as their documentation shows it.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Ended, run } from '../clients/tools.ts';
import type { Clients, Kind } from './tools.ts';

export type Place = {
  readonly url: string;
  readonly key: string;
  readonly otherKey: string;
  /** customId of the source. */
  readonly source: string;
  readonly folder: string;
  readonly clients: Clients;
};

export type Case = {
  readonly name: string;
  readonly needs: Kind;
  readonly run: (place: Place) => Promise<Ended>;
  /** Part of the output. */
  readonly says?: string;
  /** These records are stored then, by their series; absent: nothing is looked for. */
  readonly stores?: Readonly<Record<string, readonly (readonly [timeMs: number, value: unknown])[]>>;
};

const T = 1_717_200_000_000;

const given = ({ url, key, otherKey, source }: Place): NodeJS.ProcessEnv => ({
  URL: url,
  HOST: new URL(url).hostname,
  PORT: new URL(url).port,
  KEY: key,
  OTHER_KEY: otherKey,
  SOURCE: source,
  T: String(T),
});
const python = (text: string) => (place: Place) => run(place.clients.python, ['-c', text], { env: given(place) });
const node = (text: string) => (place: Place) =>
  run(process.execPath, ['--input-type=commonjs', '-e', text], {
    env: { ...given(place), NODE_PATH: place.clients.modules },
  });
const telegraf = (output: string, lines: string) => async (place: Place) => {
  const file = path.join(place.folder, 'lines.txt');
  const conf = path.join(place.folder, 'telegraf.conf');
  await writeFile(file, lines);
  const agent = '[agent]\n  omit_hostname = true\n  precision = "1ns"\n';
  const input = `[[inputs.file]]\n  files = [${JSON.stringify(file)}]\n  data_format = "influx"\n`;
  await writeFile(conf, `${agent}${input}${output}`);
  return run(place.clients.telegraf, ['--config', conf, '--once'], { env: given(place) });
};

const PYTHON_1 = `
import os
from influxdb import InfluxDBClient
e = os.environ
c = InfluxDBClient(e['HOST'], int(e['PORT']), 'anybody', e['KEY'], e['SOURCE'], gzip=GZIP, timeout=20)
`;
const PYTHON_2 = `
import os
from influxdb_client import InfluxDBClient, Point, WritePrecision
from influxdb_client.client.write_api import SYNCHRONOUS
from influxdb_client.rest import ApiException
e = os.environ
c = InfluxDBClient(url=e['URL'], token=e['KEY'], org='any', enable_gzip=True, timeout=20000)
w = c.write_api(write_options=SYNCHRONOUS)
`;
const NODE_2 = `
const { InfluxDB, Point, HttpError } = require('@influxdata/influxdb-client');
const { URL: url, KEY, OTHER_KEY, SOURCE, T } = process.env;
const api = (token, options = {}) => new InfluxDB({ url, token }).getWriteApi('any', SOURCE, 'ms', { maxRetries: 0, ...options });
`;
const NODE_1 = `
const Influx = require('influx');
const { HOST: host, PORT, KEY, SOURCE, T } = process.env;
const client = new Influx.InfluxDB({ host, port: Number(PORT), username: 'anybody', password: KEY, database: SOURCE });
`;

const PYTHON_CASES: Case[] = [
  ...[false, true].map(
    (gzip): Case => ({
      name: `influxdb (Python): ping, create_database, write_points${gzip ? ', gzip' : ''}`,
      needs: 'python',
      run: python(`${PYTHON_1.replace('GZIP', gzip ? 'True' : 'False')}
assert c.ping()
c.create_database(e['SOURCE'])
c.write_points([{'measurement': 'river flow', 'tags': {'site': 'a,b', 'gz': '${gzip}'}, 'time': int(e['T']) + n,
  'fields': {'stage': 1.5 + n, 'n': n, 'ok': n > 0, 'note': 'said "so", twice\\\\n'}} for n in range(3)], time_precision='ms', batch_size=2)
`),
      stores: {
        [`river flow,gz=${gzip},site=a,b/stage`]: [
          [T, 1.5],
          [T + 1, 2.5],
          [T + 2, 3.5],
        ],
      },
    }),
  ),
  {
    name: 'influxdb (Python): a wrong line is reported, the good ones are written',
    needs: 'python',
    run: python(`${PYTHON_1.replace('GZIP', 'False')}
from influxdb.exceptions import InfluxDBClientError
try:
    c.write(['partly v=1 ' + e['T'], 'partly', 'partly v=3 ' + str(int(e['T']) + 3)], {'db': e['SOURCE'], 'precision': 'ms'}, protocol='line')
except InfluxDBClientError as error:
    print(error.code, error.content)
`),
    says: '400 {"error":"partial write: unable to parse \'partly\': missing fields dropped=1"}',
    stores: {
      'partly/v': [
        [T, 1],
        [T + 3, 3],
      ],
    },
  },
  {
    name: 'influxdb (Python): a wrong password and an unknown database are reported',
    needs: 'python',
    run: python(`${PYTHON_1.replace('GZIP', 'False')}
from influxdb.exceptions import InfluxDBClientError
for user, db in ((e['OTHER_KEY'], e['SOURCE']), ('wrong', e['SOURCE']), (e['KEY'], 'nowhere')):
    try:
        InfluxDBClient(e['HOST'], int(e['PORT']), 'u', user, db, timeout=20, retries=1).write_points([{'measurement': 'm', 'fields': {'v': 1}}])
    except InfluxDBClientError as error:
        print(error.code, end=' ')
`),
    says: '404 401 404',
  },
  {
    name: 'influxdb-client (Python): points, precisions, gzip',
    needs: 'python',
    run: python(`${PYTHON_2}
assert c.ping()
assert c.health().status == 'pass'
t = int(e['T'])
w.write(e['SOURCE'], record=[Point('p2').tag('site', 'x y').field('v', 1.25).field('i', 7).time(t, WritePrecision.MS)])
w.write(e['SOURCE'], record='p2,site=x\\\\ y v=2.5 ' + str((t + 1) * 1000), write_precision=WritePrecision.US)
w.write(e['SOURCE'], record='p2,site=x\\\\ y v=3.5 ' + str((t + 1000) // 1000), write_precision=WritePrecision.S)
w.write(e['SOURCE'], record='p2,site=x\\\\ y v=4.5 ' + str((t + 2) * 1000000))
`),
    stores: {
      'p2,site=x y/v': [
        [T, 1.25],
        [T + 1, 2.5],
        [T + 2, 4.5],
        [T + 1_000, 3.5],
      ],
      'p2,site=x y/i': [[T, 7]],
    },
  },
  {
    name: 'influxdb-client (Python): failures are exceptions with their status',
    needs: 'python',
    run: python(`${PYTHON_2}
for token, bucket, line in ((e['OTHER_KEY'], e['SOURCE'], 'm v=1'), ('x', e['SOURCE'], 'm v=1'), (e['KEY'], 'nowhere', 'm v=1'), (e['KEY'], e['SOURCE'], 'm v=')):
    try:
        InfluxDBClient(url=e['URL'], token=token, org='any').write_api(write_options=SYNCHRONOUS).write(bucket, record=line)
    except ApiException as error:
        print(error.status, error.message, end='; ')
`),
    says: "unable to parse 'm v=': missing field value",
  },
];

const NODE_CASES: Case[] = [
  {
    name: '@influxdata/influxdb-client (Node): points of all types',
    needs: 'node',
    run: node(`${NODE_2}
const w = api(KEY, { gzipThreshold: 1 });
for (let n = 0; n < 3; n += 1)
  w.writePoint(new Point('n2').tag('site', 'é=1').floatField('f', n + 0.5).intField('i', n).uintField('u', n).booleanField('b', n === 1).stringField('s', 'a "b"\\nc').timestamp(Number(T) + n));
w.close().catch((error) => { console.error(error.message); process.exit(1); });
`),
    stores: {
      'n2,site=é=1/f': [
        [T, 0.5],
        [T + 1, 1.5],
        [T + 2, 2.5],
      ],
      'n2,site=é=1/s': [0, 1, 2].map((n) => [T + n, 'a "b"\nc'] as const),
      // A Boolean series shows its states.
      'n2,site=é=1/b': [
        [T, 'FALSE'],
        [T + 1, 'TRUE'],
        [T + 2, 'FALSE'],
      ],
    },
  },
  {
    name: '@influxdata/influxdb-client (Node): a wrong token is reported',
    needs: 'node',
    run: node(`${NODE_2}
const w = api('wrong');
w.writeRecord('m v=1');
w.close().then(() => console.log('written'), (error) => console.log(error instanceof HttpError, error.statusCode, JSON.parse(error.body).code));
`),
    says: 'true 401 unauthorized',
  },
  {
    name: 'influx (Node): createDatabase, writePoints, ping',
    needs: 'node',
    run: node(`${NODE_1}
(async () => {
  const [host] = await client.ping(20000);
  if (!host.online) throw new Error('not online');
  await client.createDatabase(SOURCE);
  await client.writePoints([0, 1].map((n) => ({ measurement: 'n1', tags: { site: 'a b' }, fields: { v: n + 0.5 }, timestamp: new Date(Number(T) + n) })), { precision: 'ms' });
  await client.writePoints([{ measurement: 'n1', fields: { v: 'text' }, tags: { site: 'a b' }, timestamp: new Date(Number(T)) }], { precision: 'ms' }).then(() => console.log('written'), (error) => console.log(error.message));
})().catch((error) => { console.error(error); process.exit(1); });
`),
    says: 'already exists as type float',
    stores: {
      'n1,site=a b/v': [
        [T, 0.5],
        [T + 1, 1.5],
      ],
    },
  },
];

const LINES = ['tele,site=one v=1.5', 'tele,site=one v=2.5', 'tele,site=two v=3i,s="x y"']
  .map((line, n) => `${line} ${(T + n) * 1_000_000}`)
  .join('\n');
const TELEGRAF_CASES: Case[] = [
  {
    name: 'Telegraf: outputs.influxdb_v2',
    needs: 'telegraf',
    run: telegraf(
      '[[outputs.influxdb_v2]]\n  urls = ["$URL"]\n  token = "$KEY"\n  organization = "any"\n  bucket = "$SOURCE"\n',
      LINES,
    ),
    stores: {
      'tele,site=one/v': [
        [T, 1.5],
        [T + 1, 2.5],
      ],
      'tele,site=two/s': [[T + 2, 'x y']],
    },
  },
  {
    name: 'Telegraf: outputs.influxdb, with CREATE DATABASE',
    needs: 'telegraf',
    run: telegraf(
      '[[outputs.influxdb]]\n  urls = ["$URL"]\n  username = "anybody"\n  password = "$KEY"\n  database = "$SOURCE"\n',
      LINES.replaceAll('tele,', 'tele1,'),
    ),
    stores: {
      'tele1,site=one/v': [
        [T, 1.5],
        [T + 1, 2.5],
      ],
    },
  },
];

export const CASES: readonly Case[] = [...PYTHON_CASES, ...NODE_CASES, ...TELEGRAF_CASES];
