// Servers and clients of others bring files to a source.
import { execFile, spawn } from 'node:child_process';
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { freePort, ftpServer, mosquittoPub, ownCertificate, s3Server, sftpServer, until } from '@catchment/testkit';
import { MODEL } from '../api.ts';
import type { Installation } from '../installation.ts';

const exec = promisify(execFile);
export const FETCHING = ['FTP', 'FTPS explicit', 'FTPS implicit', 'SFTP', 'HTTP', 'HTTPS', 'S3'] as const;
export const PUSHING = ['HTTP upload', 'FTP upload', 'FTPS upload', 'SFTP upload', 'e-mail', 'MQTT'] as const;
export type PlaceName = (typeof FETCHING)[number] | (typeof PUSHING)[number];

/**
 * A source fetches from this server. `offer` puts a file there, into a separate folder. @returns attributes of the
 * source
 */
export type Fetching = {
  readonly offer: (file: string, folder: string) => Promise<{ transport: object; files: object[] }>;
};
/**
 * This client brings a file to a source with this transport. @param headerLines that each message of it needs, where
 * it is split into several
 */
export type Pushing = {
  readonly transport: object;
  readonly bring: (file: string, key: string, headerLines: number) => Promise<unknown>;
};
export type Places = Readonly<Partial<Record<PlaceName, Fetching | Pushing>>>;

const PASSWORD = 'correct-horse';
const LOGIN = { user: 'logger', password: PASSWORD };
const BUCKET = 'loggers';
const PACKED = /\.(?:gz|zip)$/;
/** Larger files are split into messages, as a logger sends its rows. */
const MESSAGE_BYTES = 200_000;

const transport = (name: string, fields: object) => ({ _class: `${MODEL}.transport.${name}`, ...fields });
/** The name and nothing else. */
const named = (file: string) => [{ match: `^${path.basename(file).replaceAll(/[.()+]/g, '\\$&')}$`, isRegex: true }];

/** Starts the servers of others, before the installation that fetches from them. */
export async function openServers(names: readonly PlaceName[]) {
  const closers: (() => unknown)[] = [];
  const base = await mkdtemp(path.join(tmpdir(), 'catchment-places-'));
  closers.push(() => rm(base, { recursive: true, force: true }));
  const own = await ownCertificate(base);
  const authorities = [own.pem];
  const opening: Partial<Record<PlaceName, () => Promise<Fetching>>> = {
    FTP: () => ftp('FTP'),
    'FTPS explicit': () => ftp('FTPS_EXPLICIT'),
    'FTPS implicit': () => ftp('FTPS_IMPLICIT'),
    SFTP: sftp,
    HTTP: () => http(undefined),
    HTTPS: () => http(own.file),
    S3: s3,
  };
  const places: Partial<Record<PlaceName, Fetching>> = {};
  for (const name of names) {
    const open = opening[name];
    if (open) places[name] = await open();
  }
  const trusted = path.join(base, 'authorities.pem');
  await writeFile(trusted, authorities.join('\n'));
  const env = {
    EGRESS_ALLOWED_RANGES: '127.0.0.1/32',
    NODE_EXTRA_CA_CERTS: trusted,
    FTP_TLS_PORT: String(await freePort()),
    FTP_TLS_CERT_FILE: path.join(base, 'cert.pem'),
    FTP_TLS_KEY_FILE: path.join(base, 'key.pem'),
    CONVERTERS_FOLDER: path.resolve(import.meta.dirname, '../../../services/processing/examples/converters'),
  };
  const close = async () => {
    for (const closer of closers.reverse()) await closer();
  };
  return { places, env, folder: base, close };

  async function ftp(mode: 'FTP' | 'FTPS_EXPLICIT' | 'FTPS_IMPLICIT'): Promise<Fetching> {
    const server = await ftpServer({ mode, ...LOGIN });
    closers.push(() => server.stop());
    authorities.push(server.certificate.pem);
    return {
      offer: async (file, folder) => {
        await copyInto(path.join(server.folder, folder), file);
        const { port } = server;
        return {
          transport: transport('FtpDownload', { host: '127.0.0.1', port, mode, path: folder, ...LOGIN }),
          files: named(file),
        };
      },
    };
  }

  async function sftp(): Promise<Fetching> {
    const { port, user, privateKey, folder: all, stop } = await sftpServer();
    closers.push(stop);
    return {
      offer: async (file, folder) => {
        await copyInto(path.join(all, folder), file);
        const fields = { host: '127.0.0.1', port, user, privateKey, path: path.join(all, folder) };
        return { transport: transport('SftpDownload', fields), files: named(file) };
      },
    };
  }

  /** Python's own server. */
  async function http(certificate: string | undefined): Promise<Fetching> {
    const all = await mkdtemp(path.join(base, 'web-'));
    const port = await freePort();
    const child = spawn('python3', ['-c', WEB, all, `${port}`, ...(certificate ? [certificate] : [])], {
      stdio: 'ignore',
    });
    closers.push(() => child.kill());
    const origin = `${certificate ? 'https' : 'http'}://127.0.0.1:${port}`;
    await until(() => exec('curl', ['-sSk', origin]).then(() => true), { what: 'the server listens' });
    return {
      offer: async (file, folder) => {
        await copyInto(path.join(all, folder), file);
        const match = `${origin}/${folder}/${encodeURIComponent(path.basename(file))}`;
        return { transport: transport('HttpDownload', {}), files: [{ match }] };
      },
    };
  }

  async function s3(): Promise<Fetching> {
    const { endpoint, stop } = await s3Server();
    closers.push(stop);
    const aws = ['-sS', '--fail', '--aws-sigv4', 'aws:amz:us-east-1:s3', '-u', 'key:secret'];
    await exec('curl', [...aws, '-X', 'PUT', `${endpoint}/${BUCKET}`]);
    return {
      offer: async (file, folder) => {
        const name = encodeURIComponent(path.basename(file));
        await exec('curl', [...aws, '-T', file, `${endpoint}/${BUCKET}/${folder}/${name}`]);
        const fields = { bucket: BUCKET, prefix: `${folder}/`, endpoint, accessKeyId: 'key', secret: 'secret' };
        return { transport: transport('S3', fields), files: named(file) };
      },
    };
  }
}

async function copyInto(folder: string, file: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await copyFile(file, path.join(folder, path.basename(file)));
}

/** Makes clients of others for the listeners of an installation. @param folder for what they need */
export async function clientsOf(
  installation: Installation,
  { folder, env }: { readonly folder: string; readonly env: Readonly<Record<string, string>> },
): Promise<Readonly<Record<(typeof PUSHING)[number], Pushing>>> {
  const { url } = installation;
  const [ftpPort, sftpPort, smtpPort, mqttPort] = await Promise.all(
    ['ftp', 'sftp', 'smtp', 'mqtt'].map((name) => installation.listener(name)),
  );
  const ask = path.join(folder, 'ask.sh');
  await writeFile(ask, `#!/bin/sh\necho '${PASSWORD}'\n`);
  await chmod(ask, 0o700);
  const curl = (file: string, key: string, target: string, ...more: string[]) =>
    exec('curl', ['-sS', '--fail-with-body', '-u', `${key}:${PASSWORD}`, ...more, '-T', file, target]);
  return {
    'HTTP upload': {
      transport: transport('HttpUpload', { authentication: 'BASIC', password: PASSWORD }),
      bring: (file, key) => {
        const target = `${url}/upload/source/${key}?name=${encodeURIComponent(path.basename(file))}`;
        return curl(file, key, target, '-X', 'POST');
      },
    },
    'FTP upload': {
      transport: transport('FtpUpload', { password: PASSWORD }),
      bring: (file, key) => exec('python3', ['-c', FTP, file, String(ftpPort), key, PASSWORD]),
    },
    'FTPS upload': {
      transport: transport('FtpUpload', { password: PASSWORD }),
      bring: (file, key) =>
        curl(
          file,
          key,
          `ftps://127.0.0.1:${env.FTP_TLS_PORT}/in/`,
          '--ftp-create-dirs',
          '--cacert',
          env.FTP_TLS_CERT_FILE ?? '',
        ),
    },
    'SFTP upload': {
      transport: transport('SftpUpload', { password: PASSWORD }),
      bring: async (file, key) => {
        const batch = path.join(folder, 'batch');
        await writeFile(batch, `put "${file}"\n`);
        const options = '-o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR';
        const command = `sftp ${options} -P ${sftpPort} ${key}@127.0.0.1 < ${batch}`;
        return exec('setsid', ['-w', 'sh', '-c', `SSH_ASKPASS=${ask} SSH_ASKPASS_REQUIRE=force ${command}`]);
      },
    },
    'e-mail': {
      transport: transport('Email', {}),
      bring: (file, key) => exec('python3', ['-c', MAIL, file, String(smtpPort), `upload+${key}@localhost`]),
    },
    MQTT: {
      transport: transport('Mqtt', { authentication: 'CONNECT', password: PASSWORD }),
      bring: async (file, key, headerLines) => {
        const program = await mosquittoPub();
        const login = ['-p', String(mqttPort), '-V', 'mqttv5', '-u', key, '-P', PASSWORD, '-q', '1'];
        const { name, messages } = messagesOf(file, await readFile(file), headerLines);
        for (const [n, message] of messages.entries()) {
          const part = path.join(folder, `message-${n}`);
          await writeFile(part, message);
          await exec(program, [...login, '-t', `io/svc/source/${key}/${name}`, '-f', part]);
          await rm(part);
        }
      },
    },
  };
}

/** Returns a file as messages: small ones as they are, others by rows, each with the header. */
function messagesOf(file: string, bytes: Buffer, headerLines: number): { name: string; messages: Buffer[] } {
  const name = path.basename(file);
  if (bytes.length <= MESSAGE_BYTES) return { name, messages: [bytes] };
  const text = PACKED.test(name) ? gunzipSync(bytes) : bytes;
  const end = (from: number) => text.indexOf(10, from) + 1 || text.length;
  let at = 0;
  for (let line = 0; line < headerLines; line += 1) at = end(at);
  const header = text.subarray(0, at);
  const messages: Buffer[] = [];
  while (at < text.length) {
    const next = end(Math.min(at + MESSAGE_BYTES, text.length - 1));
    messages.push(Buffer.concat([header, text.subarray(at, next)]));
    at = next;
  }
  return { name: name.replace(PACKED, ''), messages };
}

const WEB = `
import functools, http.server, ssl, sys
folder, port, *certificate = sys.argv[1:]
handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=folder)
server = http.server.ThreadingHTTPServer(('127.0.0.1', int(port)), handler)
if certificate:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate[0])
    server.socket = context.wrap_socket(server.socket, server_side=True)
server.serve_forever()
`;

const FTP = `
import ftplib, os, sys
file, port, user, password = sys.argv[1:]
f = ftplib.FTP()
f.connect('127.0.0.1', int(port), 60); f.login(user, password)
name = os.path.basename(file)
with open(file, 'rb') as stream: f.storbinary('STOR ' + name + '.tmp', stream)
f.rename(name + '.tmp', name)
f.quit()
`;

const MAIL = `
import os, smtplib, sys
from email.message import EmailMessage
file, port, to = sys.argv[1:]
m = EmailMessage(); m['From'] = 'logger@site.test'; m['To'] = to; m.set_content('data')
m.add_attachment(open(file, 'rb').read(), maintype='application', subtype='octet-stream', filename=os.path.basename(file))
with smtplib.SMTP('127.0.0.1', int(port), timeout=60) as s: s.send_message(m)
`;
