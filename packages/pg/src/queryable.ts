export type Row = Record<string, unknown>;

/** Runs statements: the pool, or one transaction. Errors arrive as DomainError with the driver's as cause. */
export type Queryable = {
  /** `name` prepares the statement once per connection. */
  query<T = Row>(text: string, values?: readonly unknown[], name?: string): Promise<{ rows: T[]; rowCount: number }>;
};
