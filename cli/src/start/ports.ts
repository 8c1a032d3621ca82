import { settingOf } from '@catchment/config';
import { LISTENER_NAMES, type ListenerName, listenerRow } from '@catchment/contracts/transports';
import { freePort, programAt, reservePorts } from '@catchment/servers';
import type { ListenerPorts } from './listeners.ts';
import { type Ports, type ReplicaPorts, SERVICES, type ServiceName } from './service-table.ts';

/** Ports are named by what they are for: `http`, names of listeners and services; those of further processes begin with their names. */
export type KeptPorts = Readonly<Record<string, number>>;

export type WantedPorts = {
  readonly http: number;
  readonly httpIsFixed: boolean;
  /** false: any ports will do. */
  readonly usual: boolean;
  readonly host: string;
  /** Processes of devices. */
  readonly devices: number;
  /** Ports of earlier starts. */
  readonly kept: KeptPorts;
  readonly env: NodeJS.ProcessEnv;
  readonly say: (line: string) => void;
};

/** Names a port by which somebody reaches this installation. */
type Wanted = {
  readonly key: string;
  /** People read this: `mqtt`, `the metrics of nodes`. */
  readonly what: string;
  /** This setting chooses the port. */
  readonly setting?: string | undefined;
  /** The text says how it is chosen, where no setting does it. */
  readonly how?: string;
  readonly host?: string;
  /** Port at the first start. */
  readonly usual?: number;
};

/**
 * Chooses the ports of this start: those that a setting names, else those of earlier starts, else the usual ones, else any. A
 * port that another program has is reported, and another port is taken for this time: who connects to it is to know.
 * The first choice is kept for the next starts.
 * @returns `kept` is to be kept
 * @throws Error when a port that the user has named is taken
 */
export async function choosePorts(wanted: WantedPorts): Promise<{ readonly ports: Ports; readonly kept: KeptPorts }> {
  const { http, httpIsFixed, usual, host, devices, say } = wanted;
  const kept: Record<string, number> = { ...wanted.kept };
  reservePorts(Object.values(kept));
  const choose = async (entry: Wanted): Promise<number> => {
    const { port, isKept, notice } = await chosen(entry, wanted);
    if (notice !== undefined) say(notice);
    if (isKept) kept[entry.key] = port;
    return port;
  };
  const listenersOf = async (process: string): Promise<ListenerPorts> => {
    const ports: Partial<Record<ListenerName, number>> = {};
    for (const { name, portSetting: setting, bound } of LISTENER_NAMES.map(listenerRow))
      ports[name] = await choose({
        key: `${process}${name}`,
        what: `${process}${name}`,
        // A setting is for the first process: two cannot listen on one port.
        ...(process === '' && { setting }),
        host,
        ...(usual && { usual: bound }),
      });
    return ports as ListenerPorts;
  };
  const health = (process: string) =>
    choose({ key: `${process}.health`, what: `health and metrics of ${process}`, setting: healthSetting(process) });

  const ports = {
    http: await httpPort({ http, httpIsFixed, usual, host }, choose, kept),
    listeners: await listenersOf(''),
    replicas: [] as ReplicaPorts[],
    grpc: await eachService(() => freePort()),
    health: await eachService(health),
  };
  for (let n = 2; n <= devices; n += 1) {
    const name = `devices-${n}`;
    const listeners = await listenersOf(`${name}.`);
    ports.replicas.push({ name, listeners, grpc: await freePort(), health: await health(name) });
  }
  return { ports, kept };
}

async function httpPort(
  { http, httpIsFixed, usual, host }: Pick<WantedPorts, 'http' | 'httpIsFixed' | 'usual' | 'host'>,
  choose: (wanted: Wanted) => Promise<number>,
  kept: Record<string, number>,
): Promise<number> {
  if (!usual) return freePort({ host });
  if (!httpIsFixed)
    return choose({ key: 'http', what: 'the HTTP API', how: 'npm start -- --port <number>', host, usual: http });
  const port = await freePort({ preferred: http, host });
  if (port !== http)
    throw new Error(`Port ${http} is in use by ${await userOf(http)}. Choose another one: npm start -- --port ${port}`);
  kept.http = port;
  return port;
}

type Chosen = { readonly port: number; readonly isKept: boolean; readonly notice?: string };

async function chosen(wanted: Wanted, { kept, env }: Pick<WantedPorts, 'kept' | 'env'>): Promise<Chosen> {
  const { key, what, setting, how = `${setting}=<number> npm start`, host = '127.0.0.1', usual = 0 } = wanted;
  const named = setting === undefined ? undefined : portNamed(env[setting]);
  const before = kept[key];
  const preferred = named ?? before ?? usual;
  const port = await freePort({ host, preferred });
  if (preferred === 0 || port === preferred) return { port, isKept: true };
  const user = await userOf(preferred);
  if (named !== undefined)
    throw new Error(
      `Port ${named} of ${what} (${setting}) is in use by ${user}. Choose another one: ${setting}=${port}`,
    );
  const choice = setting === undefined && wanted.how === undefined ? '' : ` To choose another one for good: ${how}`;
  return before === undefined
    ? {
        port,
        isKept: true,
        notice: `Port ${preferred} of ${what} is in use by ${user}: it is ${port} from now on.${choice}`,
      }
    : {
        port,
        isKept: false,
        notice: `Port ${preferred} of ${what} is in use by ${user}: it is ${port} until the next start, and whoever connects to ${preferred} does not reach Catchment. End that program and start again.${choice}`,
      };
}

const userOf = async (port: number): Promise<string> => {
  const program = await programAt(port);
  return program === undefined ? 'another program' : `another program (${program})`;
};

/** The service refuses what is no port, by its name. */
const portNamed = (text: string | undefined): number | undefined =>
  text !== undefined && /^[1-9]\d{0,4}$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined;

/** Names the health port that is set for a service; further processes of devices have no such setting. */
const healthSetting = (service: string): string | undefined =>
  (SERVICES as readonly string[]).includes(service) ? settingOf(service, 'HEALTH_PORT') : undefined;

async function eachService(port: (service: ServiceName) => Promise<number>): Promise<Record<ServiceName, number>> {
  const ports: Partial<Record<ServiceName, number>> = {};
  for (const service of SERVICES) ports[service] = await port(service);
  return ports as Record<ServiceName, number>;
}
