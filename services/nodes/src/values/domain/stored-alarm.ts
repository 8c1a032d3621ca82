/** The alarms service reported this status of one alarm; times are Unix ms. */
export type StoredAlarm = {
  readonly revision: number;
  readonly alarmState: string;
  readonly message: string | null;
  readonly categoryId: string | null;
  readonly activeTime: number | null;
  readonly acknowledgeTime: number | null;
  readonly acknowledgeUsername: string | null;
  readonly acknowledgeComment: string | null;
  /** The usual text, and the revision that reported the transition, where `message` is an evaluated custom text. */
  readonly usual?: string;
  readonly textRevision?: number;
};
