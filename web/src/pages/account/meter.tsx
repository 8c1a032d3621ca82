import { localNumber } from '../../format/numbers.ts';
import { say } from './words.ts';

type MeterProps = {
  readonly label: string;
  readonly used: number;
  /** null = there is none. */
  readonly limit: number | null;
  /** Says the number with what stands beside it, such as a unit. */
  readonly textOf?: (value: number) => string;
};

const plain = (value: number): string => localNumber(String(value));

/** Shows how much of a limit is used: in words first, and as a bar. */
export function Meter({ label, used, limit, textOf = plain }: MeterProps) {
  const text = say().usage;
  const part = limit === null || limit === 0 ? undefined : used / limit;
  const tone = part === undefined ? '' : part >= 1 ? 'is-bad' : part >= NEAR ? 'is-warn' : '';
  return (
    <div class="account-meter">
      <dt>{label}</dt>
      <dd>
        <span class="number strong">
          {limit === null ? text.noLimit(textOf(used)) : text.of(textOf(used), textOf(limit))}
        </span>
        {part !== undefined && (
          <>
            <span class={`account-bar ${tone}`} aria-hidden="true">
              <i style={{ width: `${Math.min(part, 1) * 100}%` }} />
            </span>
            <span class="soft">{text.part(Math.round(part * 100))}</span>
          </>
        )}
      </dd>
    </div>
  );
}

/** A limit is close from here on: the owner gets a mail (docs/reference/notifications.md#limits-of-sms). */
export const NEAR = 0.9;
