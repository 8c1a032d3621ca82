import type { Database, Queryable } from '@catchment/pg';
import { downloadStatements } from './downloads/index.ts';
import { fileStatements } from './files/index.ts';
import { uplinkStatements } from './lorawan/index.ts';
import { deviceLists, registryStatements } from './registry/index.ts';
import { remoteStatements } from './remote/index.ts';
import { scheduleStatements } from './schedules/index.ts';
import { recordEvents } from './sources/index.ts';
import type { Store, Stored } from './store.ts';
import { placeStatements } from './uploads/index.ts';

/** These statements run on their own connection, or within a transaction. */
const STATEMENTS = {
  recordEvents,
  ...registryStatements,
  ...scheduleStatements,
  ...fileStatements,
  ...remoteStatements,
  ...downloadStatements,
  ...placeStatements,
  ...uplinkStatements,
};

type Bound<F> = {
  readonly [Name in keyof F]: F[Name] extends (on: Queryable, ...rest: infer Rest) => infer Result
    ? (...rest: Rest) => Result
    : never;
};

const bound = <F extends Readonly<Record<string, (on: Queryable, ...rest: never[]) => unknown>>>(
  on: Queryable,
  statements: F,
): Bound<F> =>
  Object.fromEntries(
    Object.entries(statements).map(([name, run]) => [name, (...rest: never[]) => run(on, ...rest)]),
  ) as Bound<F>;

/** Binds what runs on a connection, or within a transaction. */
export const storedOn = (on: Queryable): Stored => bound(on, STATEMENTS);

/** The service's store on PostgreSQL. @param namespace setting CLASS_NAMESPACE */
export function pgStore(database: Database, namespace: string): Store {
  return {
    ...storedOn(database),
    ...deviceLists(database, namespace),
    transaction: (work) => database.transaction((tx) => work(storedOn(tx))),
  };
}
