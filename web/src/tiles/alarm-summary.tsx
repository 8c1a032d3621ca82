import { Broken, Empty } from '../components/notes.tsx';
import { ScrollRegion } from '../components/scroll-region.tsx';
import { countText } from '../format/numbers.ts';
import { periodText } from '../format/times.ts';
import { wordsOf } from '../format/words.ts';
import type { TileProps } from './content.ts';

/** Shows how often each kind of alarm was raised in the period, as bars beside each other. */
export function AlarmSummary({ content, name }: TileProps<'ALARM_SUMMARY'>) {
  if (content.name === null) return <Broken what="node" />;
  const { counts, period } = content;
  const most = Math.max(...counts.map(({ count }) => count), 1);
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) return <Empty>{`No alarms in the ${periodText(period)}.`}</Empty>;
  return (
    <ScrollRegion label={name}>
      <p class="total">
        <strong>{countText(total)}</strong> {total === 1 ? 'alarm' : 'alarms'} in the {periodText(period)}
      </p>
      <ul class="bars">
        {counts.map(({ eventType, count }) => (
          <li key={eventType}>
            <span class="what">{wordsOf(eventType)}</span>
            <span class="count">{countText(count)}</span>
            <span class="bar" style={{ '--share': count / most }} />
          </li>
        ))}
      </ul>
    </ScrollRegion>
  );
}
