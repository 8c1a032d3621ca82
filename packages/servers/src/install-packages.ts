import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { holdMachineLock } from './machine-lock.ts';
import type { ServerKind } from './versions.ts';

/** Servers of the platform, the SSH server that tests of downloads need, and the Prometheus that tests of alerts need. */
type PackageKind = ServerKind | 'ssh' | 'prometheus';

/** Debian's and Ubuntu's packages of the servers, and the unit that each would start. */
const PACKAGES: Record<PackageKind, { name: string; unit: string }> = {
  postgres: { name: 'postgresql', unit: 'postgresql.service' },
  nats: { name: 'nats-server', unit: 'nats-server.service' },
  influx: { name: 'influxdb', unit: 'influxdb.service' },
  ssh: { name: 'openssh-server', unit: 'ssh.service' },
  prometheus: { name: 'prometheus', unit: 'prometheus.service' },
};

const POLICY_FILE = '/usr/sbin/policy-rc.d';
const CLUSTER_CONFIG = '/etc/postgresql-common/createcluster.d/catchment.conf';

type InstallOptions = {
  yes: boolean;
  log: (line: string) => void;
  /** True if this process is root; default: ask the system. */
  isRoot?: boolean;
  hasApt?: boolean;
  /** Asked once it is our turn: another process may have installed the same meanwhile. */
  isInstalled?: () => Promise<boolean>;
};

/** The command a person may run instead. */
function installCommand(kinds: readonly PackageKind[]): string {
  return `sudo apt-get install -y --no-install-recommends ${kinds.map((kind) => PACKAGES[kind].name).join(' ')}`;
}

/**
 * Installs servers from the distribution's packages and keeps these from starting services. Unasked as root; with `yes`
 * through sudo.
 * @throws Error with the command to run where that is not allowed, or what else to do where there is no apt
 */
export async function installPackages(kinds: readonly PackageKind[], options: InstallOptions): Promise<void> {
  const isRoot = options.isRoot ?? process.getuid?.() === 0;
  const hasApt = options.hasApt ?? (await exists('/usr/bin/apt-get'));
  const names = kinds.map((kind) => PACKAGES[kind].name).join(', ');
  if (!hasApt) {
    throw new Error(
      `${names} not found on this machine: install it, start a container engine, or give a server by URL`,
    );
  }
  if (!isRoot && !options.yes) {
    throw new Error(`${names} not found on this machine. Run: ${installCommand(kinds)}`);
  }
  // One installation at a time: tests in several processes find the same server missing at once.
  await using _turn = await holdMachineLock('catchment-install');
  if (await options.isInstalled?.()) return;
  options.log(`installing ${names} from the distribution's packages`);
  if (!isRoot) {
    await aptGet(['sudo', 'apt-get'], kinds);
    return;
  }
  await using _quiet = await withoutServiceStarts(kinds);
  await aptGet(['apt-get'], kinds);
}

async function aptGet(command: readonly string[], kinds: readonly PackageKind[]): Promise<void> {
  await aptRun([...command, 'update', '-q']);
  const names = kinds.map((kind) => PACKAGES[kind].name);
  await aptRun([
    ...command,
    'install',
    '-y',
    '-o',
    'DPkg::Lock::Timeout=300',
    '-q',
    '--no-install-recommends',
    ...names,
  ]);
}

async function aptRun([program = '', ...args]: readonly string[]): Promise<void> {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  const child = spawn(program, args, { env, stdio: ['inherit', 'pipe', 'pipe'] });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      printed = `${printed}${chunk}`.slice(-2_048);
    });
  }
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} failed:\n${printed.trim()}`);
}

/** Keeps the installation of a package from starting a service and making a PostgreSQL cluster while this is open. */
async function withoutServiceStarts(kinds: readonly PackageKind[]): Promise<AsyncDisposable> {
  const written: string[] = [];
  if (!(await exists(POLICY_FILE))) {
    await writeFile(POLICY_FILE, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
    written.push(POLICY_FILE);
  }
  if (kinds.includes('postgres')) {
    await mkdir(path.dirname(CLUSTER_CONFIG), { recursive: true });
    await writeFile(CLUSTER_CONFIG, 'create_main_cluster = false\n');
    written.push(CLUSTER_CONFIG);
  }
  return {
    [Symbol.asyncDispose]: async () => {
      for (const file of written) await rm(file, { force: true });
      await disableUnits(kinds);
    },
  };
}

/** Freshly installed units are enabled and would start with the machine; only a running systemd has them. */
async function disableUnits(kinds: readonly PackageKind[]): Promise<void> {
  if (!(await exists('/run/systemd/system'))) return;
  const child = spawn('systemctl', ['disable', ...kinds.map((kind) => PACKAGES[kind].unit)], { stdio: 'ignore' });
  child.on('error', () => {}); // a machine without systemctl has nothing to disable
  await once(child, 'close').catch(() => {});
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
