/** Most connections of a pool: more of them cost PostgreSQL more than they give. */
const MOST = 500;

/** Returns how many connections of a pool are kept for work that holds one already. */
export const secondConnections = (connections: number): number => Math.ceil(connections / 4);

/**
 * Fewest connections with which a service works: those that its own work holds for long, one for the rest of its own work, and one for
 * accounts; a quarter comes on top.
 * @param held for long: listeners of notifications, loops whose steps are transactions
 */
export function leastConnections(held: number): number {
  let connections = held + 2;
  while (connections - secondConnections(connections) < held + 2) connections += 1;
  return connections;
}

/** `DATABASE_CONNECTIONS` bounds the connections of a process to PostgreSQL, alike for every service with a database. */
export const databaseConnections = (
  read: { int(name: string, options: { min: number; max: number; fallback: number }): number },
  { held, usual }: { readonly held: number; readonly usual: number },
): number => read.int('DATABASE_CONNECTIONS', { min: leastConnections(held), max: MOST, fallback: usual });
