// Servers that are several, for tests; apart, for their clients are loaded with them.
export { type NatsCluster, type NatsClusterOptions, startNatsCluster } from './nats-cluster.ts';
export { type PostgresPair, startPostgresPair } from './postgres-pair.ts';
