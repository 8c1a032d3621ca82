import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { STOP_WAVES } from '@catchment/config';
import { ROOT } from './paths.ts';
import { type Ports, portsOfReplica, SERVICES, type ServiceName } from './service-table.ts';

/** The services take this many processes; «each» is one for each service. */
export const PROCESSES = ['1', '2', 'each'] as const;
export type Processes = (typeof PROCESSES)[number];
/** One process takes the least memory and has the highest rates on two processors: `npm run bench -- --only processes`, figures in bench/README.md. */
export const DEFAULT_PROCESSES: Processes = '1';

type Group = { readonly name: string; readonly services: readonly ServiceName[] };

export const GROUPS: Readonly<Record<Processes, readonly Group[]>> = {
  '1': [{ name: 'services', services: SERVICES }],
  // deploy/chart/catchment/values-tiny.yaml has the same: what devices and people reach, and what they do not.
  '2': [
    { name: 'core', services: ['nodes', 'historic', 'alarms', 'processing'] },
    { name: 'front', services: ['gateway', 'devices', 'events', 'render'] },
  ],
  each: SERVICES.map((name) => ({ name, services: [name] })),
};

/** A process of services. */
export type ServiceProcess = Group & {
  /** Each of its services is here. */
  readonly ports: Ports;
  /** The program is known by these: its services, or one more process of devices by its own name. */
  readonly members: readonly string[];
};

/** Lists all processes of the services, further ones of devices too. */
export function serviceProcesses(processes: Processes, ports: Ports): ServiceProcess[] {
  return [
    ...GROUPS[processes].map((group) => ({ ...group, ports, members: group.services })),
    ...ports.replicas.map((replica) => ({
      name: replica.name,
      services: ['devices' as const],
      ports: portsOfReplica(ports, replica),
      members: [replica.name],
    })),
  ];
}

/** A process may take a little less for each wave (packages/service/src/run-services.ts). */
const STOP_LIMIT_OF_WAVE_MS = 27_000;

const waveOf = (service: ServiceName): number =>
  STOP_WAVES.findIndex((wave: readonly ServiceName[]) => wave.includes(service));

/** Groups processes in the order in which they stop: one of several services with those that are called last, in its own order within. */
export const stopWaves = (processes: readonly ServiceProcess[]): string[][] =>
  STOP_WAVES.map((_, wave) =>
    processes.filter(({ services }) => Math.max(...services.map(waveOf)) === wave).map(({ name }) => name),
  );

/** A process may take so long to stop. */
export const stopLimitMs = ({ services }: ServiceProcess): number =>
  STOP_LIMIT_OF_WAVE_MS * new Set(services.map(waveOf)).size;

/** Returns where the options of a process are: of its service, or of any process that several share. */
const optionsFolder = (services: readonly ServiceName[]): string =>
  path.join(ROOT, 'services', services.length === 1 ? (services[0] ?? '') : '');

/** Returns the settings of the C library of a process, as in the image: it reads its environment before Node does. */
export async function memorySettings(services: readonly ServiceName[]): Promise<NodeJS.ProcessEnv> {
  const lines = await wordsOf(path.join(optionsFolder(services), 'environment'));
  return Object.fromEntries(lines.map((line) => line.split('=', 2)));
}

/** Returns the arguments of node to run services, as in the image (deploy/image/catchment-service). */
export async function serviceArguments(...services: readonly ServiceName[]): Promise<string[]> {
  const options = await wordsOf(path.join(optionsFolder(services), 'node-options'));
  const main = path.join(ROOT, 'services/main.ts');
  return [...options, '--import', '@catchment/telemetry/start', main, ...services];
}

const wordsOf = async (file: string): Promise<string[]> =>
  (await readFile(file, 'utf8').catch(() => '')).split(/\s+/).filter(Boolean);
