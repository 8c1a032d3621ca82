import { type Egress, REMOTE_LIMITS } from '@catchment/egress';
import type { CollectFiles, FileTransport } from '../acquisition/index.ts';
import { FtpDownload } from './clients/ftp-download.ts';
import { HttpDownload } from './clients/http-download.ts';
import { S3Download } from './clients/s3-download.ts';
import { SftpDownload } from './clients/sftp-download.ts';
import {
  fetchedFiles,
  forgetDownloads,
  forgetFetchedFiles,
  hostKey,
  ignoreFiles,
  saveFetchedFile,
  saveHostKey,
  saveRecordsUntil,
} from './store/pg-downloads.ts';
import { collectFiles } from './usecases/collect-files.ts';
import type { RenderUrl, Store } from './usecases/ports.ts';

/** Returns the transports that fetch files, and how sessions take files out of their connections. */
export function downloads(deps: {
  readonly store: Store;
  readonly egress: Egress;
  readonly renderUrl: RenderUrl;
  readonly now: () => number;
}): { readonly files: readonly FileTransport[]; readonly collect: CollectFiles } {
  const { store, egress } = deps;
  const hostKeys = { find: store.hostKey, remember: store.saveHostKey };
  const files = [
    new HttpDownload(deps),
    new FtpDownload(egress),
    new SftpDownload(egress, hostKeys),
    new S3Download(egress, REMOTE_LIMITS, deps.now),
  ];
  return { files, collect: collectFiles(store) };
}

export { FtpDownload } from './clients/ftp-download.ts';
export { HttpDownload } from './clients/http-download.ts';
export { S3Download } from './clients/s3-download.ts';
export { SftpDownload } from './clients/sftp-download.ts';
export { collectFiles } from './usecases/collect-files.ts';
export type { DownloadStored, RenderUrl } from './usecases/ports.ts';

export const downloadStatements = {
  fetchedFiles,
  saveFetchedFile,
  ignoreFiles,
  saveRecordsUntil,
  forgetFetchedFiles,
  hostKey,
  saveHostKey,
  forgetDownloads,
};
