// Listeners for files meet their real store, and clients that we did not write.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { envReader } from '@catchment/config';
import { type TransportName, transportSettings } from '@catchment/contracts/transports';
import type { ParserSettings } from '@catchment/delimited-text';
import { newObjectId } from '@catchment/ids';
import type { Database } from '@catchment/pg';
import { createLogger } from '@catchment/telemetry';
import { HANGS_AFTER_MS, until } from '@catchment/testkit';
import { FailedIdents } from '../src/listening/usecases/failed-idents.ts';
import type { PushSource } from '../src/sources/usecases/ports.ts';
import { PushSources } from '../src/sources/usecases/push-sources.ts';
import type { Store } from '../src/store.ts';
import { type OpenUploads, openUploads, UploadAdmission, uploadSettings } from '../src/uploads/index.ts';
import { certificatesIn } from './certificates.ts';
import { type DevicesDatabase, devicesDatabase } from './devices-database.ts';
import { newKey, sourceNode, workspaceNode } from './fakes.ts';

export const log = createLogger('test', { level: 'silent' });
const exec = promisify(execFile);
let scratch: DevicesDatabase;
export let database: Database;
export let store: Store;
export let folder: string;
export let uploads: OpenUploads;
/** Opens the listeners of another process with the same store. */
export let openReplica: () => Promise<OpenUploads>;
export let certFile: string;
/** All sources, by transport and key. */
const sources = new Map<string, PushSource>();
/** The key is the id of the source. */
export const parsers = new Map<string, ParserSettings>();
const nodes = {
  pushSource: async (transport: TransportName, key: string) => sources.get(`${transport} ${key}`),
  fileSettings: async ({ sourceId, ownerId }: { sourceId: string; ownerId: string }) => ({
    _id: sourceId,
    ownerId,
    workspaceId: newObjectId(),
    sourceClass: 'source.data.TextParser',
    ...(parsers.has(sourceId) && { parser: parsers.get(sourceId)! }),
  }),
};

const SETTINGS = {
  FTP_PORT: '0',
  FTP_TLS_PORT: '0',
  SFTP_PORT: '0',
  SMTP_INTAKE_PORT: '0',
  SMTP_INTAKE_DOMAIN: 'mail.test',
} as const;

/** Opens the listeners with these settings, for the tests of one file. */
export function useUploads(env: Readonly<Record<string, string>> = {}): void {
  beforeAll(async () => {
    scratch = await devicesDatabase();
    ({ database, store } = scratch);
    folder = await mkdtemp(join(tmpdir(), 'uploads-'));
    const { certFile: cert, keyFile: key, hostKeyFile: host } = await certificatesIn(folder);
    certFile = cert;
    const tls = (prefix: string) => ({ [`${prefix}_CERT_FILE`]: cert, [`${prefix}_KEY_FILE`]: key });
    const all = { ...tls('FTP_TLS'), ...tls('SMTP_INTAKE_TLS'), SFTP_HOST_KEY_FILES: host, ...SETTINGS, ...env };
    const read = envReader(all);
    const settings = uploadSettings(read);
    read.done();
    const now = Date.now;
    const failures = new FailedIdents(settings, now);
    const uploadAdmission = new UploadAdmission({ pushSources: new PushSources(nodes), store, failures, log, now });
    const take = { nodes, store, wake: () => {}, now };
    openReplica = () => openUploads(settings, { uploadAdmission, take, log, random: Math.random });
    uploads = await openReplica();
  });
  afterAll(async () => {
    await uploads.close();
    await scratch.drop();
    await rm(folder, { recursive: true, force: true });
  });
  afterEach(async () => {
    await database.query('DELETE FROM files');
  });
}

/** A source with this transport. */
export function site(
  transport: 'FtpUpload' | 'SftpUpload' | 'Email',
  fields: object = {},
  over: Parameters<typeof sourceNode>[2] = {},
) {
  const workspace = workspaceNode(newObjectId());
  const source = sourceNode(workspace, '', { class: 'source.data.TextParser', ...over });
  const key = `key-${newKey()}`;
  const password = 'correct horse';
  sources.set(`${transport} ${key}`, { source, settings: transportSettings(transport, { key, password, ...fields }) });
  return { source, key, password };
}

/** Returns the files of a source that are kept, in the order in which they are read. */
export async function kept({ source }: ReturnType<typeof site>) {
  const { rows } = await database.query<{ file_name: string; bytes: Buffer; is_held: boolean }>(
    `SELECT file_name, next_try > now() AS is_held,
       (SELECT string_agg(bytes, ''::bytea ORDER BY segment) FROM file_segments s WHERE s.file_id = f.file_id) AS bytes
     FROM files f WHERE source_id = $1 AND place IS NOT NULL ORDER BY place`,
    [source.nodeId],
  );
  return rows.map((row) => ({ name: row.file_name, text: row.bytes.toString(), isHeld: row.is_held }));
}

/** Files that are read from now on. */
export const ready = async (of: ReturnType<typeof site>, count: number) =>
  until(async () => {
    const files = await kept(of);
    return files.length === count && files.every(({ isHeld }) => !isHeld) && files;
  });

/** Counts the files of a source that are begun and not complete. */
export async function coming({ source }: ReturnType<typeof site>): Promise<number> {
  const { rows } = await database.query<{ n: number }>(
    'SELECT count(*) AS n FROM files WHERE source_id = $1 AND place IS NULL',
    [source.nodeId],
  );
  return rows[0]?.n ?? 0;
}

export async function eventsOf({ source }: ReturnType<typeof site>): Promise<string[]> {
  const { rows } = await database.query<{ data: Buffer }>('SELECT data FROM outbox ORDER BY id');
  return rows.map(({ data }) => data.toString('latin1')).filter((data) => data.includes(source.nodeId));
}

/** @returns what the program says, and its exit code */
export async function run(program: string, args: readonly string[], input = '') {
  const running = exec(program, [...args], { timeout: HANGS_AFTER_MS, cwd: folder });
  running.child.stdin?.on('error', () => {});
  running.child.stdin?.end(input);
  return running.then(
    ({ stdout, stderr }) => ({ code: 0, text: stdout + stderr }),
    (error: { code?: number; stdout?: string; stderr?: string }) => ({
      code: error.code ?? -1,
      text: `${error.stdout}${error.stderr}`,
    }),
  );
}

export async function fileOf(name: string, content: string | Buffer): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

/** This hand-written client sends raw bytes and receives text. */
export class RawClient {
  readonly socket: Socket;
  text = '';
  isClosed = false;

  constructor(port: number) {
    this.socket = connect({ host: '127.0.0.1', port });
    this.socket.setEncoding('latin1');
    this.socket.on('error', () => {});
    this.socket.on('data', (data) => {
      this.text += data;
    });
    this.socket.on('close', () => {
      this.isClosed = true;
    });
  }

  /** Sends a line when the answer before has come. */
  async say(line: string, answer: RegExp): Promise<string> {
    this.text = '';
    this.socket.write(`${line}\r\n`);
    await until(() => answer.test(this.text), { what: `${answer} after ${line}, got ${JSON.stringify(this.text)}` });
    return this.text;
  }

  closed(): Promise<unknown> {
    return until(() => this.isClosed, { what: 'the server closes the connection' });
  }
}
