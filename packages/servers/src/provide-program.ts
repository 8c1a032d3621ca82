import { engineAnswers, IMAGES, providePulledImage } from './container.ts';
import { type Binary, findBinary } from './find-binary.ts';
import { installPackages } from './install-packages.ts';
import type { ServerOptions } from './server-options.ts';
import { MINIMUM_VERSIONS, type ServerKind } from './versions.ts';

/** The way to run a server: a program of this machine, or a container (then `path` is undefined). */
export type Program = Binary | { path: undefined; version: string };

/**
 * Returns a program of this machine, else a container where an engine answers, else one from the distribution's
 * packages.
 * @throws Error with the command to run when packages may not be installed
 */
export async function provideProgram(kind: ServerKind, options: ServerOptions, givenPath?: string): Promise<Program> {
  const log = options.log ?? (() => {});
  const found = await findBinary(kind, givenPath);
  if (found !== undefined) return found;
  if (await engineAnswers()) {
    await providePulledImage(kind, log);
    return { path: undefined, version: IMAGES[kind].version };
  }
  await installPackages([kind], {
    yes: options.yes ?? false,
    log,
    isInstalled: async () => (await findBinary(kind)) !== undefined,
  });
  const installed = await findBinary(kind);
  if (installed !== undefined) return installed;
  throw new Error(`this system's package of ${kind} is older than ${MINIMUM_VERSIONS[kind]}: give a server by URL`);
}
