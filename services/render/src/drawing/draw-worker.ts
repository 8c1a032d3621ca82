import { workerData } from 'piscina';
import { drawImage, type ImageRequest } from './draw-image.ts';

/** Handed to every worker by the pool. */
export type DrawWorkerData = { readonly fontConfigFile: string };

// fontconfig reads the environment of the process once, when sharp first meets a text.
process.env.FONTCONFIG_FILE = (workerData as DrawWorkerData).fontConfigFile;

/** One picture, in a thread of its own: drawing is synchronous work of seconds in the worst case. */
export default async function draw(request: ImageRequest): Promise<Uint8Array> {
  return drawImage(request);
}
