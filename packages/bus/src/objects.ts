import { unavailable } from '@catchment/errors';
import type { Logger } from '@catchment/telemetry';
import type { JetStreamClient, JetStreamManager } from '@nats-io/jetstream';
import { type ObjectStore, Objm, setSha256Backend } from '@nats-io/obj';
import { type Naming, OBJECT_STREAM, objectBucket } from './naming.ts';
import { reportRefusal } from './refused-message.ts';
import { refuseWhenRepeatable } from './without-publishing.ts';

/**
 * Bucket of the platform's files. An object is one piece of a file, small enough to be held in memory: its name says
 * whose, in ASCII. After `put` answers, the bytes are stored; `get` checks the bytes against their digest.
 */
export class Objects {
  readonly #client: JetStreamClient;
  readonly #manager: JetStreamManager;
  readonly #bucket: string;
  readonly #log: Pick<Logger, 'error'>;
  #store: Promise<ObjectStore> | undefined;

  /** @param log hears of what is refused */
  constructor(client: JetStreamClient, manager: JetStreamManager, naming: Naming, log?: Pick<Logger, 'error'>) {
    this.#client = client;
    this.#manager = manager;
    this.#log = log ?? { error: () => {} };
    this.#bucket = objectBucket(naming);
    // Digests are Node's: the library's JavaScript takes a second of a processor for 50 MB.
    setSha256Backend('native');
  }

  /** Stores an object, in place of one of the same name. @throws DomainError unavailable when that is not certain, or no room */
  async put(name: string, bytes: Uint8Array): Promise<void> {
    refuseWhenRepeatable();
    return this.#run(async (store) => {
      await store.putBlob({ name }, bytes).catch((error: unknown) => {
        reportRefusal(this.#log, 'FILES', error);
        throw error;
      });
    });
  }

  /** undefined when there is none. @throws DomainError unavailable */
  get(name: string): Promise<Uint8Array | undefined> {
    return this.#run(async (store) => (await store.getBlob(name)) ?? undefined);
  }

  /** Removes everything of a file, its name too; one that is gone already is no error. @throws DomainError unavailable */
  async delete(name: string): Promise<void> {
    refuseWhenRepeatable();
    return this.#run(async (store) => {
      // The store keeps a marker of a deleted object, which would never be removed.
      if ((await store.info(name)) !== null) await store.delete(name);
      const filter = `$O.${this.#bucket}.M.${encoded(name)}`;
      await this.#manager.streams.purge(OBJECT_STREAM + this.#bucket, { filter });
    });
  }

  async #run<T>(work: (store: ObjectStore) => Promise<T>): Promise<T> {
    try {
      this.#store ??= new Objm(this.#client).open(this.#bucket);
      return await work(await this.#store);
    } catch (error) {
      this.#store = undefined;
      throw unavailable('FILE_STORE_UNAVAILABLE', { cause: error });
    }
  }
}

/** Names in subjects, as the object store writes them. */
const encoded = (name: string): string =>
  Buffer.from(name).toString('base64').replaceAll('+', '-').replaceAll('/', '_');
