import getPort from 'get-port';
import { type Ports, SERVICES, type ServiceName } from './service-table.ts';

const LOOPBACK = '127.0.0.1';

/**
 * Free ports for everything; the two that people see keep their wanted numbers where these are free.
 * @throws Error when a port that the user chose is taken
 */
export async function choosePorts(wanted: {
  http: number;
  httpIsFixed: boolean;
  scout: number;
  host: string;
}): Promise<Ports> {
  const http = await getPort({ port: wanted.http, host: wanted.host });
  if (wanted.httpIsFixed && wanted.http !== 0 && http !== wanted.http) {
    throw new Error(
      `Port ${wanted.http} is in use by another program. Choose another one: npm start -- --port ${http}`,
    );
  }
  const scout = await getPort({ port: wanted.scout, host: wanted.host });
  return { http, scout, grpc: await portPerService(), health: await portPerService() };
}

async function portPerService(): Promise<Record<ServiceName, number>> {
  const ports: Partial<Record<ServiceName, number>> = {};
  for (const service of SERVICES) ports[service] = await getPort({ host: LOOPBACK });
  return ports as Record<ServiceName, number>;
}
