export { Bell } from './bell.ts';
export { Database, type DatabaseOptions, type Queryable, type Row } from './database.ts';
export { deleteInBatches } from './delete-in-batches.ts';
export { migrate } from './migrate.ts';
export { type MigrationState, migrationNames, migrationState } from './migration-state.ts';
export { appendOutbox, type OutboxMessage, OutboxRelay } from './outbox.ts';
export { brokenIndex, mapPgError } from './pg-errors.ts';
export { databaseConnections } from './pool-size.ts';
export { type AtFault, separately } from './separately.ts';
