import type { EventStored, Transactions } from '../../sources/index.ts';

export type Store = Transactions<EventStored>;
