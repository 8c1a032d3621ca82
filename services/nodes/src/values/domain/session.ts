/** A source shows this of its sessions (bus message SourceChanged). */
export type SessionShown = {
  readonly ownerId: string;
  readonly sourceId: string;
  readonly revision: number;
  /**
   * The status of a source that is not at rest; null at rest, where the configuration says what is shown
   * (docs/reference/sources.md#status).
   */
  readonly status: string | null;
  readonly attempts: number;
  readonly successes: number;
  readonly lastAttemptMs?: number | undefined;
  readonly lastSuccessMs?: number | undefined;
  /** Absent: as before. */
  readonly recordCount?: number | undefined;
  readonly model?: string | undefined;
  readonly firmwareVersion?: string | undefined;
  readonly programName?: string | undefined;
};

/** The value of a control parameter has ended (bus message ControlEnded). */
export type ControlEnd = { readonly ownerId: string; readonly nodeId: string; readonly revision: number };

export type DevicesMessage =
  | ({ readonly kind: 'session' } & SessionShown)
  | ({ readonly kind: 'control' } & ControlEnd);

/** The newest of each source. */
export function newestSessions(messages: readonly DevicesMessage[]): SessionShown[] {
  const newest = new Map<string, SessionShown>();
  for (const message of messages) {
    if (message.kind !== 'session') continue;
    const before = newest.get(message.sourceId);
    // An absent field stays as it was reported before.
    if (!before) newest.set(message.sourceId, message);
    else if (before.revision < message.revision)
      newest.set(message.sourceId, { ...message, recordCount: message.recordCount ?? before.recordCount });
  }
  return [...newest.values()];
}
