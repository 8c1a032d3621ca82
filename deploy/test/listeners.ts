// `npm run listeners -w deploy [-- values.yaml …]` installs the chart with every listener of devices on the cluster of KUBECONFIG, and lets
// a pod of a stranger use them: modems, MQTT, FTP, SFTP and e-mail, with TLS where there is TLS. The stored data are read back by the API.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { connect } from 'node:tls';
import { readArguments } from './arguments.ts';
import { check, conclude } from './checks.ts';
import { attempt, run, say } from './commands.ts';
import { ApiOfRelease, sourcesForListeners } from './listener-sources.ts';
import { RELEASE, Release } from './release.ts';

const READY_SECONDS = 240;
const STORED_SECONDS = 120;
const MODEMS = `${RELEASE}-modems`;
const LISTENERS = `${RELEASE}-listeners`;
const SETTINGS = [
  'devices.modem.tlsSecret=tls',
  'devices.modem.service.type=NodePort',
  'devices.listeners.tlsSecret=tls',
  'devices.listeners.service.type=NodePort',
  'devices.listeners.ftp.enabled=true',
  'devices.listeners.ftp.passivePorts.count=4',
  'devices.listeners.sftp.enabled=true',
  'devices.listeners.sftp.hostKeySecret=sftp-host-key',
  'devices.listeners.smtp.enabled=true',
  'devices.listeners.smtp.domain=data.example.org',
];
/** The Services offer these ports outside: those with encryption. */
const OFFERED = {
  [MODEMS]: ['modem-tls'],
  [LISTENERS]: ['callback-tls', 'ftp-0', 'ftp-1', 'ftp-2', 'ftp-3', 'ftps', 'mqtt-tls', 'sftp', 'smtp'],
};

const { values } = readArguments(process.argv.slice(2));
const release = new Release(`catchment-${Date.now().toString(36)}`, values);
const folder = await mkdtemp(path.join(tmpdir(), 'catchment-listeners-'));

/** Makes a certificate for the names of the Services, and the key by which SFTP clients know the server. */
async function secrets(): Promise<void> {
  const [certificate, key, hostKey] = ['tls.crt', 'tls.key', 'ssh'].map((name) => path.join(folder, name)) as [
    string,
    string,
    string,
  ];
  const names = `subjectAltName=DNS:${MODEMS},DNS:${LISTENERS}`;
  const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=devices'];
  await run('openssl', ...request, '-addext', names, '-keyout', key, '-out', certificate);
  await run('ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-f', hostKey);
  await run('kubectl', 'create', 'namespace', release.namespace);
  await release.kubectl('create', 'secret', 'tls', 'tls', `--cert=${certificate}`, `--key=${key}`);
  await release.kubectl('create', 'secret', 'generic', 'sftp-host-key', `--from-file=ssh-privatekey=${hostKey}`);
}

async function services(): Promise<void> {
  for (const [name, offered] of Object.entries(OFFERED)) {
    const { spec } = JSON.parse(await release.kubectl('get', 'service', name, '--output', 'json')) as {
      spec: { ports: { name: string; nodePort: number }[] };
    };
    const found = spec.ports.map((port) => port.name).sort();
    check(`${name} offers outside what is encrypted alone`, found.join() === offered.join(), found.join(' '));
  }
  const policy = JSON.parse(
    await release.kubectl('get', 'networkpolicy', `${RELEASE}-devices`, '--output', 'json'),
  ) as {
    spec: { ingress: { from?: unknown; ports: { port: number }[] }[] };
  };
  const open = policy.spec.ingress.flatMap(({ from, ports }) => (from ? [] : ports.map(({ port }) => port)));
  const expected = [1883, 2121, 2222, 2525, 2990, 4331, 4332, 4334, 4335, 8883, 30000, 30001, 30002, 30003];
  check(
    'the network policy opens the listeners and nothing else',
    open.sort((a, b) => a - b).join() === expected.join(),
    open.join(' '),
  );
}

/** Connects from outside the cluster, by the port of a node. */
async function outside(): Promise<void> {
  const { hostname } = new URL(await release.url());
  const authority = await readFile(path.join(folder, 'tls.crt'));
  for (const [service, port] of [
    [MODEMS, 'modem-tls'],
    [LISTENERS, 'mqtt-tls'],
    [LISTENERS, 'callback-tls'],
    [LISTENERS, 'ftps'],
  ] as const) {
    const where = `jsonpath={.spec.ports[?(@.name=="${port}")].nodePort}`;
    const nodePort = Number(await release.kubectl('get', 'service', service, '--output', where));
    const outcome = await new Promise<string>((resolve) => {
      const socket = connect({ host: hostname, port: nodePort, ca: authority, servername: service }, () => {
        resolve(socket.getProtocol() ?? '');
        socket.destroy();
      });
      socket.setTimeout(10_000, () => socket.destroy(new Error('no answer')));
      socket.on('error', (error) => resolve(error.message));
    });
    check(`${port} answers outside the cluster with the certificate of the Secret`, outcome.startsWith('TLS'), outcome);
  }
}

/** Runs clients in a pod that is no part of the release, each a container. */
async function clients(containers: Readonly<Record<string, ClientContainer>>): Promise<void> {
  const image = await release.imageOf('devices');
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'stranger' },
    spec: {
      restartPolicy: 'Never',
      volumes: [{ name: 'tls', secret: { secretName: 'tls', items: [{ key: 'tls.crt', path: 'ca.crt' }] } }],
      containers: Object.entries(containers).map(([name, { args, env }]) => ({
        name,
        image,
        imagePullPolicy: 'IfNotPresent',
        args,
        workingDir: '/app/services/devices',
        env: Object.entries({ NODE_EXTRA_CA_CERTS: '/tls/ca.crt', ...env }).map(([key, value]) => ({
          name: key,
          value,
        })),
        volumeMounts: [{ name: 'tls', mountPath: '/tls' }],
      })),
    },
  };
  const file = path.join(folder, 'pod.json');
  await writeFile(file, JSON.stringify(pod));
  await release.kubectl('apply', '--filename', file);
  const deadline = Date.now() + STORED_SECONDS * 1_000;
  for (;;) {
    const { status } = JSON.parse(await release.kubectl('get', 'pod', 'stranger', '--output', 'json')) as PodStatus;
    const ended = (status.containerStatuses ?? []).filter(({ state }) => state.terminated);
    if (ended.length === Object.keys(containers).length || Date.now() > deadline) {
      for (const name of Object.keys(containers)) {
        const code = ended.find((container) => container.name === name)?.state.terminated?.exitCode;
        const { stdout } = await attempt('kubectl', '--namespace', release.namespace, 'logs', 'stranger', '-c', name);
        const last = stdout.trim().split('\n').at(-1) ?? '';
        check(`${name}: a stranger's client ends well`, code === 0, code === 0 ? last : stdout.slice(-800) || 'no end');
      }
      return;
    }
    await wait(1_000);
  }
}
type ClientContainer = { readonly args: string[]; readonly env: Readonly<Record<string, string>> };
type PodStatus = {
  readonly status: {
    readonly containerStatuses?: readonly { name: string; state: { terminated?: { exitCode: number } } }[];
  };
};

say(`namespace ${release.namespace}`);
try {
  await secrets();
  await release.apply(SETTINGS);
  await release.waitReady(READY_SECONDS);
  await services();
  await outside();
  const api = new ApiOfRelease(await release.url(), await release.key());
  const sources = await sourcesForListeners(api, { modems: MODEMS, listeners: LISTENERS });
  await clients(Object.fromEntries(sources.map(({ name, client }) => [name, client])));
  for (const { name, sourceId, records } of sources) {
    const found = await api.untilRecords(sourceId, records, STORED_SECONDS * 1_000);
    check(`${name}: what the client was acknowledged can be read`, found === records, `${found} of ${records} records`);
  }
  const restarts = await release.restarts();
  check('no pod was restarted', restarts.length === 0, restarts.join(' '));
} catch (error) {
  check('everything could be tried', false, String(error));
} finally {
  if (!process.env.KEEP) await release.remove();
  await rm(folder, { recursive: true, force: true });
}
conclude();
