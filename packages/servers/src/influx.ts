import { chmod, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { checkServer } from './check-server.ts';
import { containerPlan } from './container.ts';
import { influxConfig } from './influx-config.ts';
import { stopLeftOver } from './left-over.ts';
import { choosePorts } from './ports.ts';
import { processServer } from './process-server.ts';
import { provideProgram } from './provide-program.ts';
import type { RunningServer } from './running-server.ts';
import { DEFAULT_HOST, DEFAULT_READY_LIMIT_MS, type ServerOptions } from './server-options.ts';
import { openState, saveState } from './server-state.ts';
import { retryOnTakenPort } from './taken-port.ts';

/**
 * Garbage collection of Go, percent: by itself (100) it takes a quarter of InfluxDB's processor time when documents are written. More memory
 * for less of it (bench/README.md, «One machine»).
 */
const GOGC = '200';

export type InfluxOptions = ServerOptions & {
  /** Program to run instead of the first one found. */
  binary?: string;
  /** One of several servers has this folder below `dataDir`; `influx` by default. */
  folder?: string;
};

/**
 * Starts InfluxDB 1.x in `<dataDir>/<folder>`, with authentication, on the ports of last time where they are free.
 * @throws Error when there is no usable influxd, or it is not ready in time
 */
export function startInflux(options: InfluxOptions): Promise<RunningServer> {
  return retryOnTakenPort(() => launch(options));
}

async function launch(options: InfluxOptions): Promise<RunningServer> {
  const { dataDir, log = () => {}, host = DEFAULT_HOST, readyLimitMs = DEFAULT_READY_LIMIT_MS } = options;
  const { check = checkServer } = options;
  const program = await provideProgram('influx', options, options.binary);
  const folder = path.join(path.resolve(dataDir), options.folder ?? 'influx');
  const { state } = await openState(folder);
  await stopLeftOver(folder, log);
  const [httpPort = 0, backupPort = 0] = await choosePorts(state.ports, 2, host);
  state.ports = [httpPort, backupPort];
  await saveState(folder, state);

  const configFile = path.join(folder, 'influxdb.conf');
  const inside = { folder: '/data', host: '0.0.0.0', httpPort: 8086, backupPort: 8088 };
  const facts = program.path === undefined ? inside : { folder, host, httpPort, backupPort };
  await writeFile(configFile, influxConfig(facts), { mode: 0o600 });
  await chmod(configFile, 0o600);
  // What this process was given holds.
  const environment = { GOGC: process.env.GOGC ?? GOGC };
  const url = `http://${state.user}:${state.password}@${host}:${httpPort}`;
  return processServer('influx', program.version, url, {
    name: 'InfluxDB',
    ...(program.path === undefined
      ? await containerPlan({
          kind: 'influx',
          folder,
          host,
          port: httpPort,
          containerPort: 8086,
          environment,
          mount: { from: folder, to: '/data' },
          arguments: ['influxd', '-config', '/data/influxdb.conf'],
        })
      : { program: program.path, arguments: ['-config', configFile], environment, mark: configFile }),
    stopSignal: 'SIGTERM',
    folder,
    logFile: path.join(folder, 'influxdb.log'),
    check: () => check('influx', url),
    readyLimitMs,
  });
}
