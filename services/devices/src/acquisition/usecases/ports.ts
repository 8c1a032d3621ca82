export type { FilesStore as Store, FilesStored as Stored } from '../../files/index.ts';
