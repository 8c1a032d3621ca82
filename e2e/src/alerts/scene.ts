// A Catchment has a real Prometheus, people and machines around it that the faults need.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type OwnPrometheus,
  ownPrometheus,
  type ScrapeTarget,
  type TestMailServer,
  testMailServer,
} from '@catchment/testkit';
import { type Api, MODEL } from '../api.ts';
import { type Installation, startInstallation } from '../installation.ts';
import { type BreakableBrowser, breakableBrowser } from './breakable-browser.ts';

const TRAFFIC_EVERY_MS = 250;
/** At most this many requests are under way: those to something that hangs take their time. */
const MOST_UNDER_WAY = 40;
const FIRST_MS = Date.UTC(2024, 0, 1);

type Receiver = { readonly url: string; status: number; close(): void };

export type Scene = {
  readonly installation: Installation;
  readonly api: Api;
  readonly prometheus: OwnPrometheus;
  readonly mailServer: TestMailServer;
  /** The receiver of webhooks and downloads answers its `status`. */
  readonly receiver: Receiver;
  /** The browser that prints reports. */
  readonly browser: BreakableBrowser;
  readonly natsUrl: string;
  readonly postgresUrl: string;
  readonly sourceId: string;
  readonly locationId: string;
  readonly workspaceId: string;
  readonly levelId: string;
  /** Process id of a service or server, by its name. */
  pid(name: string): Promise<number>;
  /** Scrapes one more. @returns ends it */
  scrape(target: ScrapeTarget): Promise<() => Promise<void>>;
  /** Does something every this many milliseconds, whatever becomes of it. @returns ends it */
  again(everyMs: number, task: () => Promise<unknown>): () => void;
  /** Writes the next value of the level. */
  write(value: number): Promise<unknown>;
  stop(): Promise<void>;
};

export async function openScene(ruleFiles: readonly string[]): Promise<Scene> {
  await using opened = new AsyncDisposableStack();
  const mailServer = opened.adopt(await testMailServer(), (server) => server.close());
  const receiver = opened.adopt(await openReceiver(), (server) => server.close());
  const browser = opened.adopt(await breakableBrowser(), (server) => server.remove());
  const installation = opened.adopt(
    await startInstallation({
      // Faults are those of single services.
      processes: 'each',
      args: ['--no-demo', '--influxdbs', '2'],
      env: {
        INFLUX_NEW_SHARD: 'default',
        CHROMIUM_PATH: browser.executable,
        SMTP_URL: mailServer.url,
        SMTP_TLS: 'off',
        SMTP_FROM: 'Catchment <catchment@example.org>',
        WEBHOOK_ALLOW_HTTP: 'true',
        WEBHOOK_ALLOWED_RANGES: '127.0.0.0/8',
        EGRESS_ALLOWED_RANGES: '127.0.0.0/8',
        REQUEST_MAX_SECONDS: '5',
        SCOUT_MAX_CONNECTIONS_PER_ADDRESS: '1000',
      },
    }),
    (server) => server.stop(),
  );
  const { api } = installation;
  const prometheus = opened.adopt(await ownPrometheus(ruleFiles), (server) => server.stop());
  const { healthPorts, natsUrl, postgresUrl } = await installation.running();
  const targets = new Set<ScrapeTarget>(
    Object.entries(healthPorts).map(([service, port]) => ({ address: `127.0.0.1:${port}`, labels: { service } })),
  );
  await prometheus.setTargets([...targets]);
  const site = await api.createSite('Weir');
  const level = await api.create({
    _class: `${MODEL}.point.NumberPoint`,
    name: 'Level',
    parentId: site.sourceId,
    units: 'm',
  });
  const levelId = level._id;

  let written = 0;
  const write = (value: number) => {
    written += 1;
    const timestamp = new Date(FIRST_MS + written * 60_000).toISOString();
    return api.put(`/nodes/${levelId}/historic/now`, { value, timestamp });
  };
  const read = () => api.get(`/nodes/${levelId}/historic?startTime=2024-01-01T00:00:00Z&limit=100`);
  const ending = opened.adopt(new AbortController(), (controller) => controller.abort());
  const again = (everyMs: number, task: () => Promise<unknown>) => repeatedly(ending.signal, everyMs, task);
  again(TRAFFIC_EVERY_MS, () => Promise.allSettled([write(1), read(), api.get('/nodes?limit=10')]));
  const running = opened.move();
  return {
    installation,
    api,
    prometheus,
    mailServer,
    receiver,
    browser,
    natsUrl,
    postgresUrl,
    ...site,
    levelId,
    again,
    write,
    pid: async (name) => {
      const pid = (await installation.pids())[name];
      if (pid === undefined) throw new Error(`${name} has no process`);
      return pid;
    },
    scrape: async (target) => {
      targets.add(target);
      await prometheus.setTargets([...targets]);
      return async () => {
        targets.delete(target);
        await prometheus.setTargets([...targets]);
      };
    },
    stop: () => running.disposeAsync(),
  };
}

async function openReceiver(): Promise<Receiver> {
  const receiver = { url: '', status: 200, close: () => void server.close() };
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(receiver.status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return receiver;
}

function repeatedly(end: AbortSignal, everyMs: number, task: () => Promise<unknown>): () => void {
  const controller = new AbortController();
  const signal = AbortSignal.any([end, controller.signal]);
  let underWay = 0;
  void (async () => {
    while (!signal.aborted) {
      if (underWay < MOST_UNDER_WAY) {
        underWay += 1;
        void task()
          .catch(() => {})
          .finally(() => {
            underWay -= 1;
          });
      }
      await delay(everyMs, undefined, { signal }).catch(() => {});
    }
  })();
  return () => controller.abort();
}
