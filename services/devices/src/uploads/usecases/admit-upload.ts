import { hash, timingSafeEqual } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { NodeConfig } from '@catchment/contracts/nodes';
import { type SettingsOf, settingsOf } from '@catchment/contracts/transports';
import { DomainError, notFound } from '@catchment/errors';
import type { Logger } from '@catchment/telemetry';
import { LRUCache } from 'lru-cache';
import { type FailedIdents, isAllowed, plainAddress } from '../../listening/index.ts';
import { takesFiles } from '../../reading/index.ts';
import { eventSource, type PushSource, type PushSources, type SourceEvent } from '../../sources/index.ts';
import type { Store } from './ports.ts';

type UploadTransport = 'HttpUpload' | 'FtpUpload' | 'SftpUpload' | 'Email' | 'Sms' | 'LorawanUpload';

type AdmitDeps = {
  readonly pushSources: Pick<PushSources, 'find'>;
  readonly store: Pick<Store, 'transaction'>;
  /** Failed logins of all transports together. */
  readonly failures: FailedIdents;
  readonly log: Logger;
  readonly now: () => number;
  /** Absent: that of the process. */
  readonly wait?: (ms: number) => Promise<unknown>;
};

type UploadLogin<N extends UploadTransport> = {
  readonly transport: N;
  readonly key: string;
  readonly password?: string | undefined;
  /** Address of the client. */
  readonly address: string;
};

export type AdmittedUpload<N extends UploadTransport> = {
  readonly source: NodeConfig;
  readonly settings: SettingsOf<N>;
};

/** The same refusal of a source is reported once in this time. */
const REPORTED_MS = 10 * 60_000;
const REFUSALS_REPORTED = 10_000;

/** Says which source a client uploads for, and refuses the others (docs/reference/acquisition.md#uploads). */
export class UploadAdmission {
  readonly #deps: AdmitDeps;
  readonly #reported: LRUCache<string, true>;

  constructor(deps: AdmitDeps) {
    this.#deps = deps;
    this.#reported = new LRUCache({
      max: REFUSALS_REPORTED,
      ttl: REPORTED_MS,
      ttlResolution: 0,
      perf: { now: deps.now },
    });
  }

  /**
   * @throws DomainError not_found (nobody's key), permission_denied (address, source disabled or of another kind), unauthenticated (password),
   *   resource_exhausted (too many failures from the address), unavailable
   */
  async admit<N extends UploadTransport>(login: UploadLogin<N>): Promise<AdmittedUpload<N>> {
    const { failures, log, wait = sleep } = this.#deps;
    const address = plainAddress(login.address);
    const ident = { deviceKey: `${login.transport} ${login.key}`, secret: login.password };
    const waitMs = failures.delayMs(address, ident);
    if (waitMs === undefined) {
      log.warn({ address, transport: login.transport }, 'upload refused: too many failures from the address');
      throw new DomainError(
        'resource_exhausted',
        'TOO_MANY_FAILED_AUTHENTICATIONS',
        'Too many failed authentications from this address: try again later',
      );
    }
    if (waitMs > 0) await wait(waitMs);
    try {
      const admitted = await this.#check(login, address);
      failures.succeeded(address, ident);
      return admitted;
    } catch (error) {
      if (error instanceof DomainError && (error.kind === 'not_found' || error.kind === 'unauthenticated')) {
        failures.failed(address);
        // A key that is nobody's may be a password in the wrong place: it is not logged.
        log.info({ address, transport: login.transport, reason: error.reason }, 'upload refused');
      }
      throw error;
    }
  }

  /** Reports to people of the source why something that came for it was refused; the same reason once in a while. */
  async report(source: NodeConfig, message: string): Promise<void> {
    const mark = `${source.nodeId} ${message}`;
    if (this.#reported.has(mark)) return;
    this.#reported.set(mark, true);
    const { store, now, log } = this.#deps;
    const event: SourceEvent = { source: eventSource(source), level: 'WARNING', message, timeMs: now() };
    await store
      .transaction((tx) => tx.recordEvents([event]))
      .catch((err: unknown) =>
        log.warn({ err, sourceId: source.nodeId }, 'refusal of an upload could not be recorded'),
      );
  }

  async #check<N extends UploadTransport>(login: UploadLogin<N>, address: string): Promise<AdmittedUpload<N>> {
    const found = await this.#deps.pushSources.find(login.transport, login.key);
    const settings = found && settingsOf(login.transport, found.settings);
    if (!found || !settings) throw notFound();
    const refusal = refusalOf(found, login, address);
    if (!refusal) return { source: found.source, settings };
    await this.report(found.source, `Refused upload from ${address}: ${refusal.message}`);
    throw refusal;
  }
}

function refusalOf({ source, settings: { of } }: PushSource, login: UploadLogin<UploadTransport>, address: string) {
  const {
    ipWhitelist = [],
    authentication,
    password,
  } = (of?.value ?? {}) as Partial<SettingsOf<'HttpUpload'> & SettingsOf<'FtpUpload'>>;
  if (!isAllowed(ipWhitelist, address))
    return new DomainError('permission_denied', 'ADDRESS_NOT_ALLOWED', 'the address is not in ipWhitelist');
  // A password may be absent where the source can choose; FTP and SFTP always need one.
  const needsPassword = authentication === undefined ? password !== undefined : authentication !== 'NONE';
  if (needsPassword && !isSame(password ?? '', login.password))
    return new DomainError('unauthenticated', 'PASSWORD_WRONG', 'the password is missing or wrong');
  if (source.source?.isEnabled === false)
    return new DomainError('permission_denied', 'SOURCE_DISABLED', 'the source is disabled');
  if (login.transport !== 'LorawanUpload' && !takesFiles(source.class))
    return new DomainError('permission_denied', 'NOT_PERMITTED', `a source of class ${source.class} takes no files`);
  return undefined;
}

/** The comparison takes the same time wherever the two differ. */
function isSame(expected: string, given: string | undefined): boolean {
  const [left, right] = [expected, given ?? ''].map((text) => hash('sha256', text, 'buffer')) as [Buffer, Buffer];
  return timingSafeEqual(left, right) && given !== undefined && expected !== '';
}
