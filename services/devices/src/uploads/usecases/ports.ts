import type { FilesStore } from '../../files/index.ts';

/** Stores which client uploads for a source. */
export interface PlaceStored {
  /**
   * Takes the place of the one client that may upload for a source.
   * @param insteadOf a place of its own process that is given up for it
   * @returns false: another client has it
   */
  takePlace(sourceId: string, placeId: string, insteadOf: string | undefined): Promise<boolean>;
  /** @returns those that are still theirs: others were taken by another process meanwhile */
  keepPlaces(placeIds: readonly string[]): Promise<Set<string>>;
  leavePlace(placeId: string): Promise<void>;
}

export type { FilesStored as Stored } from '../../files/index.ts';
export type Store = PlaceStored & FilesStore;
