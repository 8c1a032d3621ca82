import { freePort } from '@catchment/servers';
import { LISTENERS, type ListenerName, type ListenerPorts } from './listeners.ts';
import { type Ports, type ReplicaPorts, SERVICES, type ServiceName } from './service-table.ts';

/**
 * Free ports for everything; those that people see keep their wanted numbers where these are free.
 * @throws Error when a port that the user chose is taken
 */
export async function choosePorts(wanted: {
  http: number;
  httpIsFixed: boolean;
  /** false: any ports will do. */
  usual: boolean;
  host: string;
  /** Processes of devices. */
  devices: number;
}): Promise<Ports> {
  const http = await freePort({ preferred: wanted.http, host: wanted.host });
  if (wanted.httpIsFixed && wanted.http !== 0 && http !== wanted.http) {
    throw new Error(
      `Port ${wanted.http} is in use by another program. Choose another one: npm start -- --port ${http}`,
    );
  }
  const listeners = await listenerPorts(wanted.host, wanted.usual);
  const replicas: ReplicaPorts[] = [];
  for (let n = 2; n <= wanted.devices; n += 1) {
    const [grpc, health] = [await freePort(), await freePort()];
    replicas.push({ name: `devices-${n}`, listeners: await listenerPorts(wanted.host, wanted.usual), grpc, health });
  }
  return { http, listeners, replicas, grpc: await portPerService(), health: await portPerService() };
}

async function listenerPorts(host: string, usual: boolean): Promise<ListenerPorts> {
  const ports: Partial<Record<ListenerName, number>> = {};
  for (const [name, { port }] of Object.entries(LISTENERS))
    ports[name as ListenerName] = await freePort({ preferred: usual ? port : 0, host });
  return ports as ListenerPorts;
}

async function portPerService(): Promise<Record<ServiceName, number>> {
  const ports: Partial<Record<ServiceName, number>> = {};
  for (const service of SERVICES) ports[service] = await freePort();
  return ports as Record<ServiceName, number>;
}
