const MIB = 1024 ** 2;
/** Below this a write of a server may have failed. */
const FULL_BYTES = 16 * MIB;
/** There is room from here on for what has waited. */
const ROOM_BYTES = 64 * MIB;

/** Remembers that a disk was full. */
export class RoomWatch {
  #wasFull = false;

  /** @param freeBytes undefined: not known @returns whether the disk was full and has room again, once each time */
  look(freeBytes: number | undefined): boolean {
    if (freeBytes === undefined) return false;
    if (freeBytes < FULL_BYTES) this.#wasFull = true;
    if (!this.#wasFull || freeBytes < ROOM_BYTES) return false;
    this.#wasFull = false;
    return true;
  }
}
