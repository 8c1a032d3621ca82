import { type Limits, readLimits } from '../../data/account/usage.ts';
import { useAsked } from '../../data/requests/use-asked.ts';
import { localeOf } from '../../data/times.ts';
import { countText } from '../../format/numbers.ts';
import { EmptyState } from '../../ui/notes.tsx';
import { language } from '../../words/index.ts';
import { Bars } from './bars.tsx';
import { Meter, NEAR } from './meter.tsx';
import { Read } from './read.tsx';
import { say } from './words.ts';

/** Shows the limit of SMS, what of it is used, and the months before. */
export function SmsPart() {
  const text = say().sms;
  const asked = useAsked(() => readLimits(), []);
  return (
    <Read asked={asked}>
      {({ sms }) => (
        <>
          <p class="account-lead">{text.lead}</p>
          <section class="account-card" aria-label={text.thisMonth}>
            <dl class="account-meters">
              <Meter label={text.thisMonth} used={sms.count} limit={sms.limit} textOf={countText} />
            </dl>
            <Advice sms={sms} />
          </section>
          {sms.months.length === 0 ? (
            <EmptyState icon="bell" title={text.noMonths}>
              {text.noMonthsText}
            </EmptyState>
          ) : (
            <section class="account-card" aria-label={text.months}>
              <h2>{text.months}</h2>
              <Bars
                label={text.months}
                bars={sms.months.toReversed().map(({ month, count }) => ({
                  key: month,
                  label: monthText(month),
                  value: count,
                  text: text.count(count),
                }))}
              />
            </section>
          )}
          <h2>{text.rules}</h2>
          <p class="account-lead">{text.rulesText}</p>
        </>
      )}
    </Read>
  );
}

function Advice({ sms: { isSent, count, limit } }: Pick<Limits, 'sms'>) {
  const text = say().sms;
  const advice = !isSent
    ? text.notSent
    : limit === 0
      ? text.off
      : limit !== null && count >= limit
        ? text.over
        : limit !== null && count >= limit * NEAR
          ? text.near
          : '';
  return advice === '' ? null : <p class="account-warn">{advice}</p>;
}

/** "May 2026", of `2026-05`. */
const monthText = (month: string): string =>
  new Intl.DateTimeFormat(localeOf(language.value), { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    Date.parse(`${month}-01T00:00:00Z`),
  );
