type RecordLimits = {
  readonly recordDays: number;
  readonly removedFromMs?: number | undefined;
  readonly rowsPerSourcePerDay: number;
};
type EventDays = { readonly eventDays: number; readonly debugEventDays: number };

/** The services write 0 for no limit; it is null on the outside, as in the usage document. */
const orNull = (value: number): number | null => (value === 0 ? null : value);

/** `GET /owners/account/limits`: what three services know of it (docs/reference/accounts-and-usage.md#limits-of-an-account). */
export const limitsView = (
  ofNodes: object,
  { recordDays, removedFromMs, rowsPerSourcePerDay }: RecordLimits,
  { eventDays, debugEventDays }: EventDays,
) => ({
  ...ofNodes,
  rowsPerSourcePerDay: orNull(rowsPerSourcePerDay),
  kept: {
    recordDays: orNull(recordDays),
    recordsRemovedFrom: removedFromMs === undefined ? null : new Date(removedFromMs).toISOString(),
    eventDays: orNull(eventDays),
    debugEventDays,
  },
});
