import type { Servers } from '@catchment/servers';
import type { ServiceProcess } from './processes.ts';
import type { Ports } from './service-table.ts';
import type { RunningState } from './state.ts';
import type { Supervisor } from './supervisor.ts';

/** Commands and tests read this while a start runs. */
export function runningState(scope: {
  url: string;
  ports: Ports;
  processes: readonly ServiceProcess[];
  servers: Servers;
  supervisor: Supervisor;
  identity: string | undefined;
}): RunningState {
  const { url, ports, processes, servers, supervisor, identity } = scope;
  const logins = {
    start: process.pid,
    ...pidOf('postgres', servers),
    ...pidOf('nats', servers),
    ...pidOf('influx', servers),
    ...Object.fromEntries([...servers.moreInflux].flatMap(([name, { pid }]) => (pid ? [[`influx-${name}`, pid]] : []))),
  };
  return {
    url,
    nodesAddress: `127.0.0.1:${ports.grpc.nodes}`,
    devicesAddress: `127.0.0.1:${ports.grpc.devices}`,
    historicAddress: `127.0.0.1:${ports.grpc.historic}`,
    postgresUrl: servers.postgres.url,
    natsUrl: servers.nats.url,
    influxUrl: servers.influx.url,
    moreInfluxUrls: Object.fromEntries([...servers.moreInflux].map(([name, { url }]) => [name, url])),
    listeners: ports.listeners,
    replicaListeners: Object.fromEntries(ports.replicas.map(({ name, listeners }) => [name, listeners])),
    grpcPorts: ports.grpc,
    healthPorts: ports.health,
    pids: { ...logins, ...supervisor.pids },
    logFiles: Object.fromEntries(
      processes.flatMap(({ name, members }) => members.map((member) => [member, supervisor.logFile(name)])),
    ),
    ...(identity !== undefined && { identity }),
  };
}

function pidOf(kind: 'postgres' | 'nats' | 'influx', servers: Servers): Record<string, number> {
  const { pid } = servers[kind];
  return pid === undefined ? {} : { [kind]: pid };
}
