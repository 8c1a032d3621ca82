// `npm run cluster -w deploy [-- values.yaml …]` installs the chart with its own backends on the cluster of KUBECONFIG, uses it as the
// notes say, upgrades it, takes it away. The values name images that the cluster has; the gateway's service must be a NodePort.
import path from 'node:path';
import { generateIdentity, identityToRecipient } from 'age-encryption';
import { readArguments } from './arguments.ts';
import { check, conclude } from './checks.ts';
import { attempt, say } from './commands.ts';
import { RELEASE, Release } from './release.ts';

const READY_SECONDS = 120;
const JOB_SECONDS = 180;

const { values } = readArguments(process.argv.slice(2));
const release = new Release(`catchment-${Date.now().toString(36)}`, values);

async function install(): Promise<void> {
  const began = performance.now();
  await release.apply();
  await release.waitReady(READY_SECONDS);
  const seconds = (performance.now() - began) / 1_000;
  check('every pod is Ready, the first account is made', seconds <= READY_SECONDS, `${seconds.toFixed(1)} s`);
  const restarts = await release.restarts();
  check('no pod was restarted', restarts.length === 0, restarts.join(' '));
}

async function helmTest(): Promise<void> {
  const { status, stdout, stderr } = await attempt('helm', '--namespace', release.namespace, 'test', RELEASE);
  const logOf = async (pod: string) =>
    (await attempt('kubectl', '--namespace', release.namespace, 'logs', `${RELEASE}-${pod}`)).stdout;
  const said = (await Promise.all(['test', 'doctor'].map(logOf))).join('');
  check('helm test', status === 0, `${/Phase: +(\w+)/.exec(stdout)?.[1] ?? stderr}${status === 0 ? '' : `: ${said}`}`);
}

/** Runs the curl lines of the notes, as they are printed. */
async function notes(): Promise<void> {
  const text = await release.helm('get', 'notes', RELEASE);
  const lines = text.split('\n').map((line) => line.trim());
  const settings = lines.filter((line) => /^(KEY|NODE|URL)=/.test(line)).join('\n');
  for (const line of lines.filter((line) => line.startsWith('curl '))) {
    const { status, stdout } = await attempt(
      'bash',
      '-euc',
      `${settings}\n${line.replace('curl -s', "curl -s -w '\\n%{http_code}'")}`,
    );
    const code = stdout.trim().split('\n').at(-1) ?? '';
    check(
      line.replace(/"X-Api-Key: \$KEY"/, '…'),
      status === 0 && /^2\d\d$/.test(code),
      `${code}, ${stdout.length} bytes`,
    );
  }
}

/** Makes a report as PDF and a public page, by pods that may write nowhere but /tmp. */
async function reportsAndPages(): Promise<void> {
  const [url, key] = [await release.url(), await release.key()];
  const send = (at: string, body?: unknown) =>
    fetch(`${url}${at}`, {
      headers: { 'X-Api-Key': key, 'Content-Type': 'application/json' },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    });
  const node = async (of: string, more: object) =>
    (await send('/api/v1/nodes', { _class: `io.svc.models.node.${of}`, ...more })).json() as Promise<
      Readonly<Record<'_id' | 'publicId', string>>
    >;
  const { _id: parentId } = await node('Workspace', { name: 'Reports' });
  const template = { elements: [{ type: 'TEXT', x: 40, y: 40, width: 300, content: 'Printed in a pod' }] };
  const report = await node('Report', { name: 'Weekly', parentId, template });
  const pdf = await send(`/api/v1/nodes/${report._id}/report`);
  const bytes = Buffer.from(await pdf.arrayBuffer());
  const isPdf = bytes.subarray(0, 5).toString() === '%PDF-';
  check('a report is a PDF', pdf.status === 200 && isPdf, `${pdf.status}, ${isPdf ? bytes.length : bytes} bytes`);
  const dashboard = await node('Dashboard', { name: 'Public', parentId, isPublic: true });
  const page = await fetch(`${url}/public/dash/${dashboard.publicId}`);
  const [, script = ''] = /<script[^>]* src="([^"]+)"/.exec(await page.text()) ?? [];
  const { status } = await fetch(`${url}${script}`);
  check(
    'a public dashboard has its page and its script',
    page.status === 200 && status === 200,
    `${page.status}, ${script}`,
  );
  const inPod = (command: string) =>
    attempt(
      'kubectl',
      '--namespace',
      release.namespace,
      'exec',
      release.deployment('render'),
      '--',
      'sh',
      '-c',
      command,
    );
  check('pods of render have a read-only root', (await inPod('touch /app/x || touch /x')).status !== 0);
  const { stdout } = await inPod('grep -E "^(Seccomp|CapEff):" /proc/1/status');
  check(
    'and a seccomp profile, and no capability',
    /Seccomp:\s+2/.test(stdout) && /CapEff:\s+0+$/m.test(stdout),
    stdout.trim(),
  );
}

async function upgrades(): Promise<void> {
  const before = JSON.stringify([await release.secret(`${RELEASE}-generated`), await release.key()]);
  for (const level of ['debug', 'warn', 'info']) await release.apply([`logLevel=${level}`]);
  await release.waitReady(READY_SECONDS);
  const after = JSON.stringify([await release.secret(`${RELEASE}-generated`), await release.key()]);
  check('generated secrets and the key are the same after three upgrades', before === after);
  const { status, stderr } = await attempt(
    'helm',
    '--namespace',
    release.namespace,
    'upgrade',
    RELEASE,
    path.resolve(import.meta.dirname, '../chart/catchment'),
    '--reuse-values',
    '--set',
    'ingestPartitions=8',
  );
  check('other partitions are refused', status !== 0 && stderr.includes('keeps them for life'));
}

/** Makes an encrypted backup by the CronJob, loses all data, and restores as the chart does. */
async function backups(): Promise<void> {
  const identity = await generateIdentity();
  const secret = (name: string, key: string, text: string) =>
    release.kubectl('create', 'secret', 'generic', name, `--from-literal=${key}=${text}`);
  await secret('backup-key', 'recipient', await identityToRecipient(identity));
  await secret('restore-key', 'identity', identity);
  const settings = ['backup.enabled=true', 'backup.recipientSecret=backup-key', 'backup.volume.storage=1Gi'];
  await release.apply(settings);
  await release.waitReady(READY_SECONDS);
  await release.kubectl('create', 'job', 'backup-now', `--from=cronjob/${RELEASE}-backup`);
  const made = await release.finished('backup-now', JOB_SECONDS);
  check('the CronJob makes a backup', made.isComplete, result(made.log));
  const before = await nodeNames();
  await release.uninstall();
  for (const backend of ['postgresql', 'nats', 'influxdb'])
    await release.kubectl('delete', 'pvc', `data-${RELEASE}-${backend}-0`);
  await release.apply([...settings, 'backup.restore.enabled=true', 'backup.restore.identitySecret=restore-key']);
  const [job = ''] = (await release.objects()).filter((name) => name.startsWith(`job.batch/${RELEASE}-restore-`));
  const restored = await release.finished(job.replace('job.batch/', ''), JOB_SECONDS);
  check('the chart restores it into empty servers', restored.isComplete, result(restored.log));
  await release.kubectl('delete', 'secret', 'restore-key');
  await release.apply(settings);
  await release.waitReady(READY_SECONDS);
  const after = await nodeNames();
  check('the key is that of before, and so are the nodes', before === after, `${after.length} bytes`);
  await helmTest();
  await release.apply();
  await release.kubectl('delete', 'secret/backup-key', `pvc/${RELEASE}-backup`);
}

/** Returns what the job has said at its end; pods of earlier tries are in the log too. */
const result = (log: string): string => /^Backup \S+(:| is restored).*$/m.exec(log)?.[0] ?? log;

const nodeNames = async (): Promise<string> => {
  const headers = { 'X-Api-Key': await release.key() };
  return (await fetch(`${await release.url()}/api/v1/nodes?attr=name&sort=name`, { headers })).text();
};

async function takeAway(): Promise<void> {
  const promised = (await release.helm('get', 'notes', RELEASE))
    .split('\n')
    .map((line) => /^ {2}- (PersistentVolumeClaim|Pod|Secret) ([^\s,]+)/.exec(line))
    .filter((match) => match !== null)
    .map(([, kind, name]) => `${kind?.toLowerCase()}/${name}`);
  await release.uninstall();
  const left = await release.objects();
  check('uninstall leaves what the notes say', left.join() === promised.sort().join(), left.join(' '));
  await install();
  await helmTest();
  check('data and key outlive it', (await nodeNames()).includes('Rivers'));
  await release.uninstall();
}

say(`namespace ${release.namespace}`);
try {
  await install();
  await helmTest();
  await notes();
  await reportsAndPages();
  await upgrades();
  await backups();
  await takeAway();
} catch (error) {
  check('everything could be tried', false, String(error));
} finally {
  await release.remove();
}
conclude();
