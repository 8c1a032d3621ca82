import type { SourceTransport } from '@catchment/contracts/nodes';
import { type SettingsOf, settingsOf, type TransportName } from '@catchment/contracts/transports';
import { LRUCache } from 'lru-cache';
import type { DeviceSource } from '../domain/device.ts';
import type { Nodes } from './ports.ts';

/** A source with the revision that its settings must have at least. */
export type SettledSource = Pick<DeviceSource, 'sourceId' | 'ownerId' | 'revision'>;

const MAX_SOURCES = 10_000;

/** Settings of transports, with their secrets: held in memory alone, and read again when the source has changed. */
export class KnownTransports {
  readonly #nodes: Pick<Nodes, 'transports'>;
  readonly #known: LRUCache<string, SourceTransport>;

  constructor(nodes: Pick<Nodes, 'transports'>, max = MAX_SOURCES) {
    this.#nodes = nodes;
    this.#known = new LRUCache({ max });
  }

  /**
   * Settings of a source for this transport; undefined when the source has another transport by now, or is gone.
   * @throws DomainError unavailable
   */
  async settings<N extends TransportName>(name: N, source: SettledSource): Promise<SettingsOf<N> | undefined> {
    const known = (await this.#fresh(source))?.settings;
    return known && settingsOf(name, known);
  }

  async #fresh({ sourceId, ownerId, revision }: SettledSource): Promise<SourceTransport | undefined> {
    const key = `${ownerId} ${sourceId}`;
    const known = this.#known.get(key);
    if (known && known.revision >= revision) return known;
    const [read] = await this.#nodes.transports(ownerId, [sourceId]);
    if (read) this.#known.set(key, read);
    else this.#known.delete(key);
    return read;
  }
}
