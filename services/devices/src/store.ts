import type { DownloadStored } from './downloads/index.ts';
import type { FileStored } from './files/index.ts';
import type { UplinkStored } from './lorawan/index.ts';
import type { DeviceLists, RegistryStored } from './registry/index.ts';
import type { RemoteStored } from './remote/index.ts';
import type { AcquisitionStored } from './schedules/index.ts';
import type { EventStored, Transactions } from './sources/index.ts';
import type { PlaceStored } from './uploads/index.ts';

/** The store has all accounts: each call names the account, or an object that was found in it before. */
export interface Stored
  extends AcquisitionStored,
    EventStored,
    RegistryStored,
    FileStored,
    RemoteStored,
    PlaceStored,
    UplinkStored,
    DownloadStored {}

export interface Store extends Stored, DeviceLists, Transactions<Stored> {}
