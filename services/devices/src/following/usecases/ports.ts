import type { DownloadStored } from '../../downloads/index.ts';
import type { FilesStored } from '../../files/index.ts';
import type { RegistryStored } from '../../registry/index.ts';
import type { Transactions } from '../../sources/index.ts';

export type Stored = RegistryStored & FilesStored & DownloadStored;
export type Store = Stored & Transactions<Stored>;
