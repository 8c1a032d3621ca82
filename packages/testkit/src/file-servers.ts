import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { freePort, installPackages } from '@catchment/servers';
import { pythonEnvironment } from './python-environment.ts';
import { until } from './until.ts';

const run = promisify(execFile);

/** Serves files on 127.0.0.1 for one test file. */
export type FileServer = {
  readonly port: number;
  /** Connections see this absolute folder. */
  readonly folder: string;
  stop(): Promise<void>;
};

/** Nobody vouches for this certificate for 127.0.0.1. */
type OwnCertificate = { readonly pem: string; readonly file: string };

const START_LIMIT_MS = 30_000;

/** FTP and FTPS of pyftpdlib. */
export async function ftpServer(options: {
  mode: 'FTP' | 'FTPS_EXPLICIT' | 'FTPS_IMPLICIT';
  user: string;
  password: string;
}): Promise<FileServer & { readonly certificate: OwnCertificate }> {
  const { mode, user, password } = options;
  const python = await pythonProgram('ftp');
  const { base, folder } = await newFolders();
  const certificate = await ownCertificate(base);
  const port = await freePort();
  const script = path.join(import.meta.dirname, 'ftp-server.py');
  const child = spawn(python, [script, `${port}`, folder, user, password, mode, certificate.file], QUIET);
  return { ...(await served(child, port, base)), folder, certificate };
}

/** OpenSSH with its own SFTP, for whoever runs the test, by a key. */
export async function sftpServer(): Promise<
  FileServer & {
    readonly user: string;
    readonly privateKey: string;
    readonly hostKey: string;
    changeHostKey(): Promise<void>;
  }
> {
  const sshd = await sshProgram();
  const { base, folder } = await newFolders();
  const hostKeyFile = path.join(base, 'host_key');
  const userKeyFile = path.join(base, 'user_key');
  const newKey = (file: string) => run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file]);
  await Promise.all([newKey(hostKeyFile), newKey(userKeyFile)]);
  await writeFile(path.join(base, 'authorized_keys'), await readFile(`${userKeyFile}.pub`));
  // The server, started as root, gives up its rights here.
  if (process.getuid?.() === 0) await mkdir('/run/sshd', { recursive: true });
  const port = await freePort();
  const config = path.join(base, 'sshd_config');
  await writeFile(
    config,
    [
      `ListenAddress 127.0.0.1:${port}`,
      `HostKey ${hostKeyFile}`,
      `AuthorizedKeysFile ${path.join(base, 'authorized_keys')}`,
      'StrictModes no',
      'UsePAM no',
      'PasswordAuthentication no',
      'PermitRootLogin prohibit-password',
      'PidFile none',
      'Subsystem sftp internal-sftp',
      '',
    ].join('\n'),
  );
  const start = () => spawn(sshd, ['-D', '-f', config], QUIET);
  let server = await served(start(), port, base);
  const fingerprint = async () => (await run('ssh-keygen', ['-lf', `${hostKeyFile}.pub`])).stdout.split(' ')[1] ?? '';
  return {
    port,
    folder,
    user: os.userInfo().username,
    privateKey: await readFile(userKeyFile, 'utf8'),
    hostKey: await fingerprint(),
    changeHostKey: async () => {
      await server.end();
      await Promise.all([rm(hostKeyFile), rm(`${hostKeyFile}.pub`)]);
      await newKey(hostKeyFile);
      server = await served(start(), port, base);
    },
    stop: () => server.stop(),
  };
}

/** S3 of moto, in memory. */
export async function s3Server(): Promise<{ readonly endpoint: string; stop(): Promise<void> }> {
  const program = await pythonProgram('s3');
  const { base } = await newFolders();
  const port = await freePort();
  const { stop } = await served(spawn(program, ['-H', '127.0.0.1', '-p', `${port}`], QUIET), port, base);
  return { endpoint: `http://127.0.0.1:${port}`, stop };
}

const QUIET = { stdio: 'ignore' } as const;

async function newFolders() {
  const base = await mkdtemp(path.join(os.tmpdir(), 'catchment-files-'));
  await chmod(base, 0o711);
  const folder = path.join(base, 'files');
  await mkdir(folder);
  return { base, folder };
}

async function served(child: ChildProcess, port: number, base: string) {
  let ended: string | undefined;
  child.once('error', (error) => {
    ended = error.message;
  });
  child.once('exit', (code) => {
    ended ??= `it ended with ${code}`;
  });
  await until(
    async () => {
      if (ended) throw new Error(`${child.spawnfile}: ${ended}`);
      return answers(port);
    },
    { deadlineMs: START_LIMIT_MS, everyMs: 50, what: `${child.spawnfile} listens` },
  );
  const end = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  };
  const stop = async () => {
    await end();
    await rm(base, { recursive: true, force: true });
  };
  return { port, end, stop };
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.once('connect', () => socket.destroy() && resolve(true)).once('error', () => resolve(false));
  });
}

/** Makes a key and a certificate in one file, as servers want them. */
export async function ownCertificate(folder: string): Promise<OwnCertificate> {
  const [key, cert] = [path.join(folder, 'key.pem'), path.join(folder, 'cert.pem')];
  await run('openssl', [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-days',
    '2',
    '-subj',
    '/CN=127.0.0.1',
    '-addext',
    'subjectAltName=IP:127.0.0.1',
    '-keyout',
    key,
    '-out',
    cert,
  ]);
  const pem = await readFile(cert, 'utf8');
  const file = path.join(folder, 'both.pem');
  await writeFile(file, (await readFile(key, 'utf8')) + pem);
  return { pem, file };
}

async function sshProgram(): Promise<string> {
  const places = ['/usr/sbin/sshd', '/usr/local/sbin/sshd', '/opt/homebrew/sbin/sshd'];
  const find = async () => {
    for (const place of places) if (await exists(place)) return place;
    return undefined;
  };
  const found = await find();
  if (found) return found;
  await installPackages(['ssh'], {
    yes: true,
    log: () => undefined,
    isInstalled: async () => (await find()) !== undefined,
  });
  return (await find()) ?? '/usr/sbin/sshd';
}

const PYTHON = {
  ftp: {
    packages: ['pyftpdlib==2.2.0', 'pyOpenSSL==26.4.0'],
    program: 'python3',
    works: ['-c', 'import pyftpdlib, OpenSSL'],
  },
  s3: { packages: ['moto[s3,server]==5.2.1'], program: 'moto_server', works: ['--help'] },
} as const;

/** Finds a program of packages of Python: that of this machine, otherwise one of an environment that the first use makes. */
async function pythonProgram(kind: keyof typeof PYTHON): Promise<string> {
  const { packages, program, works } = PYTHON[kind];
  const does = (candidate: string) =>
    run(candidate, works).then(
      () => true,
      () => false,
    );
  if (await does(program)) return program;
  return path.join(path.dirname(await pythonEnvironment(kind, packages)), program);
}

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );
