/** The shares need to know this of a connection. */
export type Connection = {
  /** True while nothing of the connection is being answered: it is idle, or its request has not come whole. */
  isWaiting(): boolean;
};

type Holder = { readonly kind: 'address' | 'account'; readonly name: string };

/**
 * Shares the connections of this process. A connection belongs to its client's address until a request on it has shown
 * a good key; then it is the account's. Strangers have half of all, and nobody ever more than is left free. A new
 * client of an address that has its share takes the place of the connection that has waited longest.
 */
export class ConnectionShares<C extends Connection> {
  readonly #max: number;
  readonly #holders = new Map<C, Holder | undefined>();
  /** Connections by address, oldest first. */
  readonly #ofAddress = new Map<string, Set<C>>();
  readonly #ofAccount = new Map<string, number>();
  #strangers = 0;

  constructor(max: number) {
    this.#max = max;
  }

  get count(): number {
    return this.#holders.size;
  }

  /**
   * @param address undefined = a proxy, behind which there are many clients
   * @returns the connection that is to be ended: one that waits, or the new one where all of the address are being answered
   */
  open(connection: C, address: string | undefined): C | undefined {
    if (address === undefined) {
      this.#holders.set(connection, undefined);
      return undefined;
    }
    const sockets = this.#ofAddress.get(address) ?? new Set();
    let ended: C | undefined;
    if (sockets.size > 0 && sockets.size >= this.#freeForStrangers()) {
      ended = firstWaiting(sockets);
      if (ended === undefined) return connection;
      this.close(ended);
    } else if (this.#freeForStrangers() <= 0) {
      ended = this.#waitingOfLargest();
      if (ended === undefined) return connection;
      this.close(ended);
    }
    this.#ofAddress.set(address, sockets.add(connection));
    this.#holders.set(connection, { kind: 'address', name: address });
    this.#strangers += 1;
    return ended;
  }

  /** A request on the connection has shown a good key. @returns whether the account may have it */
  known(connection: C, account: string): boolean {
    const holder = this.#holders.get(connection);
    // A connection of a proxy has no holder; that of an account keeps its first one.
    if (holder?.kind !== 'address') return true;
    const count = this.#ofAccount.get(account) ?? 0;
    if (count > 0 && count >= this.#max - this.#holders.size) return false;
    this.close(connection);
    this.#holders.set(connection, { kind: 'account', name: account });
    this.#ofAccount.set(account, count + 1);
    return true;
  }

  close(connection: C): void {
    const holder = this.#holders.get(connection);
    this.#holders.delete(connection);
    if (holder?.kind === 'address') {
      const sockets = this.#ofAddress.get(holder.name);
      sockets?.delete(connection);
      if (sockets?.size === 0) this.#ofAddress.delete(holder.name);
      this.#strangers -= 1;
    } else if (holder?.kind === 'account') {
      const count = (this.#ofAccount.get(holder.name) ?? 1) - 1;
      if (count === 0) this.#ofAccount.delete(holder.name);
      else this.#ofAccount.set(holder.name, count);
    }
  }

  #freeForStrangers(): number {
    return Math.floor(this.#max / 2) - this.#strangers;
  }

  #waitingOfLargest(): C | undefined {
    const all = [...this.#ofAddress.values()].sort((a, b) => b.size - a.size);
    for (const sockets of all) {
      const waiting = firstWaiting(sockets);
      if (waiting) return waiting;
    }
    return undefined;
  }
}

function firstWaiting<C extends Connection>(connections: Iterable<C>): C | undefined {
  for (const connection of connections) if (connection.isWaiting()) return connection;
  return undefined;
}
