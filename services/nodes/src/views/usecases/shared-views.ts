import { unavailable } from '@catchment/errors';
import type { Queryable } from '@catchment/pg';
import type { ViewedNode } from '../domain/viewed-node.ts';
import { viewedByIds } from '../store/node-views-query.ts';

/** An account has this many statements at a time: one is answered while the other is read. */
const AT_ONCE = 2;
/** Nodes of one statement. */
const MOST = 100;
const MOST_WAITING = 2_000;

type Waiting = PromiseWithResolvers<ViewedNode | undefined> & { readonly nodeId: string };
type Account = { running: number; readonly waiting: Waiting[] };

/**
 * Reads nodes for concurrent calls of an account in one statement: most of what a single node costs is its round trips. A call
 * joins a statement before that begins, so it sees whatever was answered before the call.
 */
export class SharedViews {
  readonly #database: Queryable;
  readonly #accounts = new Map<string, Account>();

  constructor(database: Queryable) {
    this.#database = database;
  }

  /** @throws DomainError unavailable when too many wait, and what the statement fails with */
  find(ownerId: string, nodeId: string): Promise<ViewedNode | undefined> {
    const account = this.#accounts.get(ownerId) ?? { running: 0, waiting: [] };
    if (account.waiting.length >= MOST_WAITING) throw unavailable('DATABASE_BUSY');
    this.#accounts.set(ownerId, account);
    const found = Promise.withResolvers<ViewedNode | undefined>();
    account.waiting.push({ nodeId, ...found });
    if (account.running < AT_ONCE) {
      account.running += 1;
      // Calls that have arrived together go together.
      setImmediate(() => this.#run(ownerId, account));
    }
    return found.promise;
  }

  async #run(ownerId: string, account: Account): Promise<void> {
    while (account.waiting.length > 0) {
      const asked = account.waiting.splice(0, MOST);
      try {
        const ids = asked.map(({ nodeId }) => nodeId);
        const found = await viewedByIds(this.#database, ownerId, ids);
        for (const { nodeId, resolve } of asked) resolve(found.get(nodeId));
      } catch (error) {
        for (const { reject } of asked) reject(error);
      }
    }
    account.running -= 1;
    if (account.running === 0) this.#accounts.delete(ownerId);
  }
}
