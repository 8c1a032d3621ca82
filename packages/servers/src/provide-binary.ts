import { type Binary, findBinary } from './find-binary.ts';
import { installPackages } from './install-packages.ts';
import type { ServerOptions } from './server-options.ts';
import { MINIMUM_VERSIONS, type ServerKind } from './versions.ts';

/**
 * The program of a server: one of this machine, else one from the distribution's packages.
 * @throws Error telling the one command to run when packages may not be installed
 */
export async function provideBinary(kind: ServerKind, options: ServerOptions, givenPath?: string): Promise<Binary> {
  const found = await findBinary(kind, givenPath);
  if (found !== undefined) return found;
  await installPackages([kind], { yes: options.yes ?? false, log: options.log ?? (() => {}) });
  const installed = await findBinary(kind);
  if (installed !== undefined) return installed;
  throw new Error(`this system's package of ${kind} is older than ${MINIMUM_VERSIONS[kind]}: give a server by URL`);
}
