import { getCallSites } from 'node:util';
import { currentSlot, hostedServices } from '../services.ts';

/** Fewer frames lie between the definition of a metric and this file. */
const FRAMES = 8;
const SERVICE_FOLDER = /\/services\/([a-z]+)\/src\//;

/**
 * Each service of the process has this part of a metric for itself. It is made with its first value; that of a metric which is
 * defined in services/NAME/src is there for NAME from the start, so that what it knows from the start is shown where it will happen.
 */
export class PerService<T> {
  readonly #make: () => T;
  readonly #definedBy = definingService();
  readonly #parts: (T | undefined)[] = [];

  constructor(make: () => T) {
    this.#make = make;
  }

  /** Returns the part of the service that runs. */
  current(): T {
    const slot = currentSlot();
    return this.#parts[slot] ?? this.#begin(slot);
  }

  /** @returns undefined where the service has none so far */
  of(slot: number): T | undefined {
    const service = hostedServices()[slot];
    // A process without named services reports all that it knows.
    const isThere = !service || service.name === this.#definedBy;
    return this.#parts[slot] ?? (isThere ? this.#begin(slot) : undefined);
  }

  #begin(slot: number): T {
    const part = this.#make();
    this.#parts[slot] = part;
    return part;
  }
}

/** Docs and dashboards name the reporter of a metric by the same folder. */
function definingService(): string | undefined {
  const files = getCallSites(FRAMES).map(({ scriptName }) => scriptName.replaceAll('\\', '/'));
  return files.map((file) => SERVICE_FOLDER.exec(file)?.[1]).find((name) => name !== undefined);
}
