export type { FilesStore as Store } from '../../files/index.ts';
