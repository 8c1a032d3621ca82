const TRIAL_MS = 30 * 86_400_000;
const MONTHS_KEPT = 3;

/** Computes when a trial that begins now ends: 30 days later (docs/reference/accounts-and-usage.md#account). Unix ms. */
export const trialEndMs = (startMs: number): number => startMs + TRIAL_MS;

/** Computes when an account whose trial has ended is deleted: three calendar months (UTC) after it was disabled. Unix ms. */
export const trialRemovalMs = (disabledMs: number): number =>
  Temporal.Instant.fromEpochMilliseconds(disabledMs).toZonedDateTimeISO('UTC').add({ months: MONTHS_KEPT })
    .epochMilliseconds;

type Account = { readonly account_type: string; readonly status: string };

/** Returns the effect of an account's change on its trial; a trial that is enabled after its end begins anew. */
export function trialChange(
  before: Account | undefined,
  after: Account,
  isOver: boolean,
): 'begins' | 'is over' | 'stays' {
  if (after.account_type !== 'TRIAL') return before?.account_type === 'TRIAL' ? 'is over' : 'stays';
  if (before?.account_type !== 'TRIAL') return 'begins';
  const isEnabled = before.status !== 'ACTIVE' && after.status === 'ACTIVE';
  return isEnabled && isOver ? 'begins' : 'stays';
}
