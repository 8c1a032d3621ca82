import { pastPorts, unfollowed } from './past-ports.ts';
import { impureDomain } from './pure-domain.ts';
import { serviceFiles } from './service-files.ts';
import { strayStatements, writingQuery } from './sql-in-stores.ts';
import { storesAsked, storesOf } from './stores-asked.ts';

/**
 * Finds code of the services at `root` that is in the wrong layer, a line each: SQL outside a store, a query that writes, a handler that
 * asks a store, a use case that changes another room's tables past its ports, a domain file that takes more of another room than types
 * and decisions or asks for the time, and names by which an entry point cannot be followed.
 */
export async function checkLayerContents(root: string): Promise<string[]> {
  const files = await serviceFiles(root);
  const stores = storesOf(files);
  const wrong = await Promise.all(
    files.map(async (each) => [
      ...strayStatements(each),
      ...unfollowed(each),
      ...impureDomain(each),
      ...(await writingQuery(root, each)),
      ...(await pastPorts(root, each)),
      ...storesAsked(each, stores),
    ]),
  );
  return wrong.flat();
}
