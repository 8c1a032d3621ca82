import type { DeviceLists, RegistryStored } from '../../registry/index.ts';
import type { AcquisitionStored } from '../../schedules/index.ts';
import type { EventStored, Transactions } from '../../sources/index.ts';

type Stored = RegistryStored & AcquisitionStored & EventStored;
export type Store = Stored & DeviceLists & Transactions<Stored>;
