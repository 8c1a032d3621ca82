import type { UplinkFrame } from '../domain/uplink-frame.ts';

/** Stores which frames have come. */
export interface Store {
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
}
