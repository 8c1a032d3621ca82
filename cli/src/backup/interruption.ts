import pg from 'pg';

/** The first SIGINT or SIGTERM aborts it; the next one ends the process. */
export class Interruption implements AsyncDisposable {
  readonly #stop = new AbortController();
  readonly #cancel: () => Promise<void>;
  #cancelled: Promise<void> | undefined;

  private constructor(cancel: () => Promise<void>) {
    this.#cancel = cancel;
    process.on('SIGINT', this.#onSignal);
    process.on('SIGTERM', this.#onSignal);
  }

  /** @param client what it is at is cancelled */
  static async of(client: pg.Client, databaseUrl: string): Promise<Interruption> {
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    return new Interruption(async () => {
      const other = new pg.Client({ connectionString: databaseUrl, application_name: 'cancel' });
      other.on('error', () => undefined);
      try {
        await other.connect();
        await other.query('SELECT pg_cancel_backend($1)', [rows[0]?.pid]);
      } finally {
        await other.end();
      }
    });
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Ends the cancelling: statements that come later run. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#forget();
    await this.#cancelled;
  }

  readonly #onSignal = (name: NodeJS.Signals): void => {
    this.#forget();
    this.#stop.abort(new Error(`Broken off by ${name}`));
    // The statement goes to its end if that fails, and the work ends behind it.
    this.#cancelled = this.#cancel().catch(() => undefined);
  };

  #forget(): void {
    process.off('SIGINT', this.#onSignal);
    process.off('SIGTERM', this.#onSignal);
  }
}
