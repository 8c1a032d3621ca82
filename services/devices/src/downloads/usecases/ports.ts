/** Keys of hosts that sources have seen. */
export interface HostKeys {
  /** The fingerprint that a host showed to the source first. */
  find(sourceId: string, target: string): Promise<string | undefined>;
  remember(sourceId: string, target: string, fingerprint: string): Promise<void>;
}

/** URLs of downloads with their expressions evaluated (docs/reference/expressions.md#download-urls). */
export type RenderUrl = (
  request: { ownerId: string; sourceId: string; template: string; nowMs: number },
  signal: AbortSignal,
) => Promise<string>;
