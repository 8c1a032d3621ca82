import type { DevicePipe } from './device-pipe.ts';

/** A device that is connected to this process, or about to identify itself. */
export interface LiveConnection {
  readonly connectionId: string;
  /** Known once the device is accepted. */
  readonly deviceId: string | undefined;
  /** Sources that use the device, oldest first; none before it is accepted. */
  readonly sourceIds: readonly string[];
  /** Resolves when the connection has ended and its end is recorded. Never rejects. */
  run(): Promise<void>;
  /** Finishes what is in work, and ends the connection. */
  drain(): void;
  /** Sends the device the reason, where its protocol can, and ends the connection. */
  close(code: string, message: string): void;
  /** Something about the device has changed. */
  refresh(): Promise<void>;
  /**
   * A pipe to what is behind the device, of one user at a time. Destroying it leaves the device connected.
   * @returns undefined while somebody else has it, or no device is accepted
   */
  openPipe(): DevicePipe | undefined;
}
