import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { freePort, hang, installedCommand, ownCertificate, until } from '@catchment/testkit';
import type { Fault } from '../fault.ts';
import { memoryLimit } from '../memory-limit.ts';
import { oneMore, stutter } from '../processes.ts';
import type { Scene } from '../scene.ts';

const RESTARTS = 3;
const READY_LIMIT_MS = 60_000;
/** A process that ends before a scrape has seen it is no restart for Prometheus. */
const STARTED = 'process_start_time_seconds{service="render"}';

const health = async (port: number): Promise<boolean> =>
  (await fetch(`http://127.0.0.1:${port}/healthz`, { signal: AbortSignal.timeout(1_000) })).ok;

/** Starts a second process of alarms, under a wrapper, that Prometheus scrapes. */
async function secondAlarms(scene: Scene, wrapper: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const [grpcPort, healthPort] = [await freePort(), await freePort()];
  const more = await oneMore(await scene.pid('alarms'), {
    env: { ...env, GRPC_PORT: String(grpcPort), HEALTH_PORT: String(healthPort) },
    wrapper,
  });
  await until(() => health(healthPort), { deadlineMs: READY_LIMIT_MS, what: 'a second process of alarms' });
  const forget = await scene.scrape({ address: `127.0.0.1:${healthPort}`, labels: { service: 'alarms' } });
  const end = async () => {
    await forget();
    await more.end();
  };
  return { end };
}

export const PROCESS_FAULTS: readonly Fault[] = [
  {
    name: 'service-hangs',
    what: 'the only process of render is stopped (SIGSTOP)',
    alerts: ['CatchmentServiceDown', 'CatchmentInstanceDown'],
    cause: async ({ pid }) => hang(await pid('render')),
  },
  {
    name: 'restarts',
    what: `the process of render is killed ${RESTARTS} times`,
    alerts: ['CatchmentRestartLoop'],
    cause: async ({ installation, prometheus }) => {
      const started = async () => (await prometheus.query(STARTED))[0];
      for (let n = 0; n < RESTARTS; n += 1) {
        const before = await started();
        await installation.kill('render');
        const isSeen = async () => ![undefined, before].includes(await started());
        await until(isSeen, { deadlineMs: READY_LIMIT_MS, what: 'Prometheus has seen that render runs again' });
      }
      return () => {};
    },
  },
  {
    name: 'no-cpu',
    what: 'the process of render gets no CPU for 0.8 s at a time',
    alerts: ['CatchmentEventLoopBlocked'],
    cause: async ({ pid }) => stutter(await pid('render'), { stoppedMs: 800, runningMs: 300 }),
  },
  {
    name: 'clock',
    what: 'one more process of alarms, whose clock is 30 s ahead (libfaketime)',
    alerts: ['CatchmentClockSkew'],
    cause: async (scene) => {
      const faketime = await installedCommand('faketime', 'faketime');
      return (await secondAlarms(scene, [faketime, '--exclude-monotonic', '-f', '+30s'])).end;
    },
  },
  {
    name: 'certificate',
    what: 'one more process of alarms, whose authorities (NODE_EXTRA_CA_CERTS) end within two days',
    alerts: ['CatchmentCertificateEndsSoon', 'CatchmentCertificateEnds'],
    cause: async (scene) => {
      const folder = await mkdtemp(path.join(os.tmpdir(), 'catchment-certificate-'));
      const { file } = await ownCertificate(folder);
      const { end } = await secondAlarms(scene, [], { NODE_EXTRA_CA_CERTS: file });
      return async () => {
        await end();
        await rm(folder, { recursive: true });
      };
    },
  },
  {
    name: 'memory',
    what: 'one more process of alarms, in a control group that allows 7 % more memory than it keeps',
    alerts: ['CatchmentMemoryNearLimit'],
    cause: async (scene) => {
      const limit = await memoryLimit();
      const { end } = await secondAlarms(scene, limit.wrapper);
      limit.follow(1.07);
      return async () => {
        await end();
        await limit.remove();
      };
    },
  },
];
