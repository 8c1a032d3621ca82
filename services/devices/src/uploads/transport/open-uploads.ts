import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import type { Logger } from '@catchment/telemetry';
import { HELD_MAX } from '../../files/index.ts';
import { Admission, readTlsPair } from '../../listening/index.ts';
import type { UploadAdmission } from '../usecases/admit-upload.ts';
import { OneOfEach } from '../usecases/one-of-each.ts';
import type { Store } from '../usecases/ports.ts';
import type { TakeDeps } from '../usecases/take-upload.ts';
import { openFtp } from './ftp-server.ts';
import { EarlyRoom } from './incoming-file.ts';
import { openMail } from './mail-server.ts';
import { openSftp } from './sftp-server.ts';
import type { UploadSettings } from './upload-settings.ts';

export type OpenUploads = {
  /** The ports of FtpUpload are the plain one, then that of implicit TLS. */
  readonly ports: { readonly [Name in 'FtpUpload' | 'SftpUpload' | 'Email']?: readonly number[] };
  /** Takes no new clients; files that come have a few seconds. */
  close(): Promise<void>;
};

type OpenDeps = {
  readonly uploadAdmission: UploadAdmission;
  readonly take: TakeDeps & { readonly store: Store };
  readonly log: Logger;
  readonly random: () => number;
};

/** Files that come at a time: each holds a segment of its bytes. */
const TRANSFERS = 256;
/** Files by SFTP of which parts may wait at a time for what is in front of them, 10 MiB each. */
const EARLY_FILES = 4;
/** Mails that come at a time: each may hold what has come of it, as its text. */
const MAILS = 16;
const MAILS_OF_ACCOUNT = 4;
const MAIL_BYTES = 32 * 1024 * 1024;

/** Opens the listeners that are wanted. @throws Error when a port or a file cannot be opened */
export async function openUploads(settings: UploadSettings, deps: OpenDeps): Promise<OpenUploads> {
  const { loginMs, idleMs, pauseMs, maxConnections, maxConnectionsPerAddress } = settings;
  const at = (most: number, each: number, maxPendingBytes = 0) =>
    new Admission({ maxConnections: most, maxConnectionsPerAddress: each, maxPendingBytes });
  const sources = new OneOfEach(deps.take.store, deps.log);
  const shared = {
    ...deps,
    limits: { loginMs, idleMs, pauseMs },
    // FTP, SFTP and mails share the connections.
    admission: at(maxConnections, maxConnectionsPerAddress),
    transfers: at(TRANSFERS, HELD_MAX),
    sources,
    early: new EarlyRoom(EARLY_FILES),
  };
  const opened: { close(): Promise<void> }[] = [];
  const ports: Record<string, readonly number[]> = {};
  const close = async () => {
    await Promise.all(opened.map((server) => server.close()));
    await sources.close();
  };
  try {
    for (const [name, open] of Object.entries(openersOf(settings, shared, at(MAILS, MAILS_OF_ACCOUNT, MAIL_BYTES)))) {
      const listener = await open();
      if (!listener) continue;
      opened.push(listener);
      ports[name] = listener.ports;
    }
  } catch (error) {
    await close();
    throw error;
  }
  return { ports, close };
}

type Shared = OpenDeps & {
  readonly limits: { readonly loginMs: number; readonly idleMs: number; readonly pauseMs: number };
  readonly admission: Admission;
  readonly transfers: Admission;
  readonly sources: OneOfEach;
  readonly early: EarlyRoom;
};

const openersOf = ({ ftp, sftp, mail }: UploadSettings, shared: Shared, mails: Admission) => ({
  FtpUpload: async () => {
    if (ftp.port === undefined && ftp.tlsPort === undefined) return undefined;
    const tls = await readTlsPair(ftp);
    const secureContext = tls && createSecureContext(tls);
    const { host, passivePorts, publicAddress, isActiveAllowed } = ftp;
    return openFtp(
      { ...shared, host, passivePorts, publicAddress: publicAddress || undefined, isActiveAllowed, secureContext },
      { plain: ftp.port, implicit: ftp.tlsPort },
    );
  },
  SftpUpload: async () => {
    if (sftp.port === undefined) return undefined;
    const hostKeys = await Promise.all(sftp.hostKeyFiles.map((file) => readFile(file)));
    return openSftp({ ...shared, host: sftp.host, hostKeys }, sftp.port);
  },
  Email: async () => {
    if (mail.port === undefined) return undefined;
    const tls = await readTlsPair(mail);
    const { idleMs } = shared.limits;
    return openMail({ ...shared, host: mail.host, mails, mailDomain: mail.domain, tls, idleMs }, mail.port);
  },
});
