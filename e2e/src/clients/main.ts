// `npm run test:clients -w e2e` tests clients of others against a separate installation.
import { createHash, randomBytes } from 'node:crypto';
import { copyFile, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { freePort, ownCertificate, until } from '@catchment/testkit';
import { type Api, MODEL } from '../api.ts';
import { startInstallation } from '../installation.ts';
import { CASES, type Case, type Login, PASSWORD, type Place } from './cases.ts';
import { type Ended, provideTools, run, type Tools } from './tools.ts';

const HELP = `npm run test:clients -w e2e -- [options]

Starts Catchment with data of its own and has clients of others send to it, as scripts of loggers do: scp, sftp, lftp, curl, paramiko, paho, mosquitto_pub,
MQTT.js, sparkplug-client and ssh2. Prints the exit code of each and what was stored. Root on Debian and Ubuntu gets the programs that are missing; libraries of
PyPI and npm go into node_modules/.cache. Ends with status 0 when every client ended with 0 and everything it sent is stored; what is missing is said.

  --only <part>     of the names of clients
  --large <MB>      size of the large file, at most 100 (20)
  --list            prints the names
  --help
`;
const RECORDS = 3;
const STORED_LIMIT_MS = 120_000;
const TEXT = ['time,level', ...[0, 1, 2].map((minute) => `2026-01-02 03:0${minute},${minute}`), ''].join('\n');
const PARSER = {
  labelsRow: 1,
  columns: [
    { index: 0, type: 'RECORD_TIME', joins: [{ column: 0, field: 'TIME', format: 'YYYY-MM-DD HH:mm' }] },
    { index: 1, type: 'NUMBER', series: 'level', joins: [{ column: 1, field: 'NUMBER' }] },
  ],
};
const beganMs = performance.now();
const say = (line: string) =>
  process.stdout.write(`${String(Math.round((performance.now() - beganMs) / 1_000)).padStart(6)} s  ${line}\n`);

type Result = { readonly name: string; readonly ended: Ended; readonly stored: string; readonly isGood: boolean };

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', default: '' },
      large: { type: 'string', default: '20' },
      list: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const wanted = CASES.filter(({ name }) => name.includes(values.only));
  const megabytes = Number(values.large);
  if (values.help || values.list) {
    process.stdout.write(values.help ? HELP : `${wanted.map(({ name }) => name).join('\n')}\n`);
    return 0;
  }
  if (!(megabytes > 0 && megabytes <= 100)) throw new Error('--large: must be a number of megabytes up to 100');
  const tools = await withFeatures(await provideTools(say));
  const folder = await mkdtemp(path.join(os.tmpdir(), 'catchment-clients-'));
  const { file } = await ownCertificate(folder);
  await makeFiles(folder, megabytes);
  const [ftps, mqtts] = [await freePort(), await freePort()];
  const tls = (prefix: string) => ({
    [`${prefix}_CERT_FILE`]: path.join(folder, 'cert.pem'),
    [`${prefix}_KEY_FILE`]: path.join(folder, 'key.pem'),
  });
  const env = { FTP_TLS_PORT: String(ftps), ...tls('FTP_TLS'), MQTT_TLS_PORT: String(mqtts), ...tls('MQTT_TLS') };
  say(`Starting Catchment (${path.basename(file)} is the certificate of its listeners)`);
  const installation = await startInstallation({ args: ['--no-demo'], env });
  const results: Result[] = [];
  try {
    const port = (name: string) => installation.listener(name);
    const ports = { sftp: await port('sftp'), ftp: await port('ftp'), mqtt: await port('mqtt'), ftps, mqtts };
    const place: Place = { url: installation.url, ports, authority: path.join(folder, 'cert.pem'), folder, tools };
    const { locationId } = await installation.api.createSite();
    for (const candidate of wanted) {
      const lacking = candidate.needs.filter((need) => tools.missing.has(need));
      if (lacking.length > 0) {
        say(`${candidate.name}: MISSING ${lacking.map((need) => `${need} (${tools.missing.get(need)})`).join(', ')}`);
        continue;
      }
      const result = await tried(candidate, place, installation.api, locationId);
      results.push(result);
      say(`${result.isGood ? 'ok    ' : 'FAULT '} ${result.name}: exit code ${result.ended.code}, ${result.stored}`);
      if (!result.isGood && result.ended.output) say(result.ended.output.trim().slice(-1_500));
    }
  } finally {
    await installation.stop();
    await rm(folder, { recursive: true, force: true });
  }
  process.stdout.write(`\n${tableOf(wanted, results, tools)}\n`);
  return results.length > 0 && results.every(({ isGood }) => isGood) ? 0 : 1;
}

/** Finds out what the machine's curl can do. */
async function withFeatures(tools: Tools): Promise<Tools> {
  const missing = new Map(tools.missing);
  const { output } = await run('curl', ['--version']);
  for (const name of ['sftp', 'scp'])
    if (!new RegExp(`^Protocols:.*\\b${name}\\b`, 'm').test(output))
      missing.set(`curl with ${name}`, 'this curl is built without it');
  return { ...tools, missing };
}

async function makeFiles(folder: string, megabytes: number): Promise<void> {
  const day = path.join(folder, 'day.csv');
  await writeFile(day, TEXT);
  await copyFile(day, path.join(folder, 'x.tmp'));
  const large = await open(path.join(folder, 'large.bin'), 'w');
  for (let left = Math.floor(megabytes * 1024 * 1024); left > 0; left -= 1024 * 1024)
    await large.write(randomBytes(Math.min(left, 1024 * 1024)));
  await large.close();
}

async function tried(client: Case, place: Place, api: Api, parentId: string): Promise<Result> {
  const { id, login } = await sourceFor(client, api, parentId);
  const ended = await client.run(place, login);
  const what = client.kind === 'LARGE' ? await attached(api, id, place.folder) : await recorded(api, id);
  return { name: client.name, ended, stored: what.text, isGood: ended.code === 0 && what.isWhole };
}

async function sourceFor({ name, kind, transport }: Case, api: Api, parentId: string) {
  const withoutName = transport === 'HttpUpload' ? 'BASIC' : 'CONNECT';
  const authentication = transport === 'HttpUpload' || transport === 'Mqtt' ? { authentication: withoutName } : {};
  const made = await api.create({
    _class: `${MODEL}.source.${kind === 'LARGE' ? 'attachment.AttachmentSource' : kind === 'TEXT' ? 'data.TextParser' : 'data.Jts'}`,
    name: name.replaceAll(/[^A-Za-z0-9 ]/g, ' ').slice(0, 50),
    parentId,
    transport: { _class: `${MODEL}.transport.${transport}`, password: PASSWORD, ...authentication },
    ...(kind === 'TEXT' && { parser: PARSER, files: [{ match: 'day.csv', parser: PARSER }] }),
  });
  const { json } = await api.get(`/nodes/${made._id}`);
  return { id: made._id, login: { key: json.transport.key, password: PASSWORD } satisfies Login };
}

type Stored = { readonly text: string; readonly isWhole: boolean };

async function recorded(api: Api, sourceId: string): Promise<Stored> {
  let count = 0;
  const look = async () => {
    const nodes = (await api.get(`/nodes?filter=parentId($eq:${sourceId})&attr=_id,name,series`)).json;
    const level = nodes.find(({ name }: { name: string }) => name === 'level');
    if (!level) return false;
    const read = await api.get(
      `/nodes/${level._id}/historic?startTime=2026-01-01T00:00:00Z&endTime=2026-02-01T00:00:00Z`,
    );
    count = read.json.data?.length ?? 0;
    return count === RECORDS;
  };
  const isWhole = await until(look, { what: 'the records are there', deadlineMs: STORED_LIMIT_MS }).catch(() => false);
  return { text: `${count} of ${RECORDS} records stored`, isWhole };
}

async function attached(api: Api, sourceId: string, folder: string): Promise<Stored> {
  const expected = digest(await readFile(path.join(folder, 'large.bin')));
  const found = await until(
    async () => (await api.get(`/nodes?filter=parentId($eq:${sourceId})&attr=_id,name`)).json.at(0)?._id,
    {
      what: 'the attachment is there',
      deadlineMs: STORED_LIMIT_MS,
    },
  ).catch(() => undefined);
  if (!found) return { text: 'nothing stored', isWhole: false };
  const { fileUrl } = (await api.get(`/nodes/${found}?attr=fileUrl`)).json;
  const bytes = Buffer.from(await (await fetch(fileUrl)).arrayBuffer());
  return { text: `${bytes.length} bytes stored`, isWhole: digest(bytes) === expected };
}

const digest = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

function tableOf(wanted: readonly Case[], results: readonly Result[], { missing }: Tools): string {
  const rows = wanted.map(({ name }) => {
    const result = results.find((result) => result.name === name);
    return result
      ? [name, String(result.ended.code), result.stored, result.isGood ? '' : 'FAULT']
      : [name, '–', 'not tried', 'MISSING'];
  });
  const lines = [['client', 'exit code', 'stored', ''], ...rows].map(
    ([name = '', code = '', stored = '', fault = '']) =>
      `${name.padEnd(42)}${code.padEnd(11)}${stored.padEnd(30)}${fault}`.trimEnd(),
  );
  const lacking = [...missing].map(([what, why]) => `missing: ${what}: ${why}`);
  return [...lines, ...lacking].join('\n');
}

process.exitCode = await main();
