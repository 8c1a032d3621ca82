import { once } from 'node:events';
import path from 'node:path';
import { type TestMailServer, testMailServer, until } from '@catchment/testkit';
import { type Api, MODEL } from '../api.ts';
import { catchment, type Installation, startInstallation } from '../installation.ts';
import type { Processes } from '../processes.ts';
import { subscribe } from '../subscriber.ts';
import { Level, THRESHOLD } from './level.ts';
import { WebhookReceiver } from './webhook-receiver.ts';

const WRITERS = 4;
/** This many of the writers write records that only historic's writer can decide, with this pause between two of them. */
const PRESERVING = { count: 1, everyMs: 100 };
const STATIONS = 3;
const MQTT_EVERY_MS = 250;
const PASSWORD = 'of the stations';
/** The mailed level crosses with every record. A person gets at most 100 mails an hour. */
const MAILED = { phase: 1, everyMs: 15_000, most: 90 };
const RECOVERY_LIMIT_MS = 180_000;

/** An installation under load. */
export type Scene = {
  readonly installation: Installation;
  readonly api: Api;
  readonly levels: readonly Level[];
  /** Somebody gets the alarms of this level by mail. */
  readonly mailed: Level;
  readonly mails: TestMailServer;
  readonly webhook: WebhookReceiver;
  /** Sources of the stations. */
  readonly stations: readonly string[];
  /** Resolves when every writer has been answered 202 again. */
  recovered(): Promise<void>;
  progress(): string;
  /** Ends the load; what was begun is answered first. */
  end(): Promise<void>;
  /** Messages of MQTT are sent and acknowledged, once the load has ended. */
  messages(): { readonly sent: number; readonly acknowledged: number; readonly refused: number };
  stop(): Promise<void>;
};

/** @param keepIn the folder in which the data and the logs are left */
export async function openScene(keepIn: string | undefined, processes?: Processes): Promise<Scene> {
  await using opened = new AsyncDisposableStack();
  const mails = opened.adopt(await testMailServer(), (server) => server.close());
  const webhook = opened.adopt(new WebhookReceiver(), (receiver) => receiver.close());
  const url = await webhook.listen();
  const installation = opened.adopt(await started(mails, keepIn, processes), (running) => running.stop());
  const { api } = installation;
  const { workspaceId, locationId } = await api.createSite('Weirs');
  const levels: Level[] = [];
  for (let n = 0; n < WRITERS; n += 1)
    levels.push(
      new Level(
        api,
        await levelNode(api, locationId, `Weir ${n}`),
        n < PRESERVING.count ? { isPreserving: true, everyMs: PRESERVING.everyMs } : {},
      ),
    );
  const mailed = new Level(api, await levelNode(api, locationId, 'Mailed'), MAILED);
  const mailTo = { email: 'ann@example.org', phone: '+61865550100' };
  await subscribe(api, { workspaceId, nodeId: mailed.id }, mailTo);
  const hook = await api.post('/owners/account/webhooks', { name: 'All states', url, filter: 'eventType($eq:STATE)' });
  webhook.secret = hook.json.secret;
  const { stations, simulation } = await startStations(installation, locationId);
  opened.defer(() => simulation.kill());

  const all = [...levels, mailed];
  for (const level of all) level.start();
  const kept = opened.move();
  return {
    installation,
    api,
    levels: all,
    mailed,
    mails,
    webhook,
    stations,
    recovered: async () => {
      const before = levels.map(({ written }) => written);
      await until(() => levels.every(({ written }, n) => written > (before[n] ?? 0)), {
        deadlineMs: RECOVERY_LIMIT_MS,
        what: 'every writer is answered 202 again',
      });
    },
    progress: () => {
      const sum = (of: (level: Level) => number) => all.reduce((total, level) => total + of(level), 0);
      return `${sum((level) => level.written)} records answered 202, ${sum((level) => level.failures)} requests refused or cut off, ${webhook.deliveries.size} deliveries, ${mails.mails.length} mails`;
    },
    end: async () => {
      await Promise.all(all.map((level) => level.stop()));
      await simulation.end();
    },
    messages: () => simulation.counts(),
    stop: () => kept.disposeAsync(),
  };
}

const started = (
  mails: TestMailServer,
  keepIn: string | undefined,
  processes: Processes | undefined,
): Promise<Installation> =>
  startInstallation({
    processes,
    ...(keepIn !== undefined && { dataDir: path.join(keepIn, 'data'), keepData: true }),
    args: ['--no-demo'],
    env: {
      // Writers without pause come to the daily limit of a source.
      ROWS_PER_SOURCE_PER_DAY: '0',
      WEBHOOK_ALLOW_HTTP: 'true',
      WEBHOOK_ALLOWED_RANGES: '127.0.0.0/8',
      SMTP_URL: mails.url,
      SMTP_TLS: 'off',
      SMTP_FROM: 'Catchment <catchment@example.org>',
    },
  });

/** Makes a source with a level that raises alarms, and a program that computes on each of its records. */
async function levelNode(api: Api, locationId: string, name: string): Promise<{ id: string; twiceId: string }> {
  const { categories } = (await api.get('/owners/account')).json;
  const categoryId = categories.find((category: { name: string }) => category.name === 'Critical')._id;
  const source = await api.create({ _class: `${MODEL}.source.data.Jts`, name, parentId: locationId });
  const states = [
    { name: 'NORMAL' },
    { name: 'HIGH', threshold: THRESHOLD, isAlarm: true, notify: 'ALWAYS', categoryId },
  ];
  const level = { _class: `${MODEL}.point.NumberPoint`, name: 'Level', parentId: source._id, states };
  const { _id: id } = await api.create(level);
  const process = { code: "return NUMBER('Level') * 2", runMode: 'ALL_INPUTS' };
  const twice = { _class: `${MODEL}.point.NumberProcessPoint`, name: 'Twice', parentId: source._id, process };
  return { id, twiceId: (await api.create(twice))._id };
}

async function startStations(installation: Installation, locationId: string) {
  const { api } = installation;
  const stations: string[] = [];
  const keys: string[] = [];
  for (let n = 0; n < STATIONS; n += 1) {
    const transport = { _class: `${MODEL}.transport.Mqtt`, authentication: 'CONNECT', password: PASSWORD };
    const made = { _class: `${MODEL}.source.data.Jts`, name: `Station ${n}`, parentId: locationId, transport };
    const { _id } = await api.create(made);
    stations.push(_id);
    keys.push((await api.get(`/nodes/${_id}`)).json.transport.key);
  }
  const port = String(await installation.listener('mqtt'));
  const args = [
    'simulate',
    'mqtt',
    '--quiet',
    '--port',
    port,
    '--stations',
    String(STATIONS),
    '--interval',
    String(MQTT_EVERY_MS),
    '--drops',
    '1',
    '--duplicates',
    '2',
  ];
  const child = catchment([...args, ...keys.flatMap((key) => ['--key', key])], { MQTT_PASSWORD: PASSWORD });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk));
  const exit = once(child, 'close');
  const simulation = {
    end: async () => {
      child.kill('SIGINT');
      await exit;
    },
    kill: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await exit;
    },
    counts: () => {
      const found = /^(\d+) messages sent, (\d+) acknowledged, \d+ repeated, (\d+) refused/m.exec(output);
      if (!found) throw new Error(`the stations ended without a summary: ${output}`);
      const [, sent, acknowledged, refused] = found.map(Number);
      return { sent: sent ?? 0, acknowledged: acknowledged ?? 0, refused: refused ?? 0 };
    },
  };
  return { stations, simulation };
}
