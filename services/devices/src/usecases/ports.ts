import type { FetchedFile } from '../domain/fetched-file.ts';
import type { UplinkFrame } from '../domain/uplink-frame.ts';
import type { FileStored } from '../files/index.ts';
import type { DeviceLists, RegistryStored } from '../registry/index.ts';
import type { RemoteStored } from '../remote/index.ts';
import type { AcquisitionStored } from '../schedules/index.ts';
import type { EventStored, Transactions } from '../sources/index.ts';

/** The store of all accounts: each call names the account, or an object that was found in it before. */
export interface Stored extends AcquisitionStored, EventStored, RegistryStored, FileStored, RemoteStored {
  /**
   * The place of the one client that may upload for a source.
   * @param insteadOf a place of its own process that is given up for it
   * @returns false: another client has it
   */
  takePlace(sourceId: string, placeId: string, insteadOf: string | undefined): Promise<boolean>;
  /** @returns those that are still theirs: others were taken by another process meanwhile */
  keepPlaces(placeIds: readonly string[]): Promise<Set<string>>;
  leavePlace(placeId: string): Promise<void>;

  /**
   * A frame of a LoRaWAN device has come.
   * @returns the time of the first one, which is this one unless it came before; whether its records are stored
   */
  noteUplink(sourceId: string, frame: UplinkFrame): Promise<{ timeMs: number; isStored: boolean }>;
  /** @param timeMs that `noteUplink` has given */
  uplinkStored(sourceId: string, frame: UplinkFrame, timeMs: number): Promise<void>;
  /** The counter of the device begins anew. */
  forgetUplinks(sourceId: string, device: string): Promise<void>;
  /** Forgets frames that no network hands over again. Any replica may do it at any time. */
  sweepUplinks(): Promise<void>;

  /** Returns what is known of files of a source, by their keys; unknown keys are left out. */
  fetchedFiles(sourceId: string, keys: readonly string[]): Promise<FetchedFile[]>;
  /** A file was fetched. What is known of its records stays, unless its collection begins anew at another time. */
  saveFetchedFile(sourceId: string, file: FetchedFile): Promise<void>;
  /** Files that no entry takes. @returns keys that were not ignored before */
  ignoreFiles(sourceId: string, keys: readonly string[]): Promise<Set<string>>;
  /** Records of a file are in the log up to a time. */
  saveRecordsUntil(sourceId: string, key: string, untilMs: number): Promise<void>;
  /** Files that are gone from their origin. @param but keys of those that are there */
  forgetFetchedFiles(
    sourceId: string,
    files: { readonly keys: readonly string[] } | { readonly but: readonly string[] },
  ): Promise<void>;
  /** The key that a host showed to a source. */
  hostKey(sourceId: string, target: string): Promise<string | undefined>;
  saveHostKey(sourceId: string, target: string, fingerprint: string): Promise<void>;
  /** Sources are gone. */
  forgetDownloads(sourceIds: readonly string[]): Promise<void>;
}

export interface Store extends Stored, DeviceLists, Transactions<Stored> {}
