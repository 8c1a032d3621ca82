import { times } from '../../data/times.ts';
import { readLimits } from '../../data/usage.ts';
import { useAsked } from '../../data/use-asked.ts';
import { Read } from './read.tsx';
import { say } from './words.ts';

/** How long data of the account are kept (docs/operations/retention.md). */
export function Retention() {
  const text = say().retention;
  const asked = useAsked(() => readLimits(), []);
  const keptText = (days: number | null) => (days === null ? text.forEver : text.days(days));
  return (
    <Read asked={asked}>
      {({ kept: { recordDays, recordsRemovedFrom, eventDays, debugEventDays } }) => {
        const rows = [
          [text.records, keptText(recordDays), recordDays === null ? '' : text.recordsText],
          [text.events, keptText(eventDays), eventDays === null ? '' : text.eventsText],
          [text.debug, text.days(debugEventDays), text.debugText],
          [text.attachments, text.attachmentsKept, text.attachmentsText],
          [text.exports, text.exportsKept, ''],
          [text.deliveries, text.days(30), text.deliveriesText],
          [text.nodes, text.forEver, ''],
        ] as const;
        return (
          <>
            <p class="account-lead">{text.lead}</p>
            {recordsRemovedFrom && (
              <p class="account-warn">{text.newDays(times().whole(Date.parse(recordsRemovedFrom)))}</p>
            )}
            <table class="account-kept">
              <thead>
                <tr>
                  <th scope="col">{text.what}</th>
                  <th scope="col">{text.kept}</th>
                </tr>
              </thead>
              <tbody>
                {rows.map(([what, time, more]) => (
                  <tr key={what}>
                    <th scope="row">{what}</th>
                    <td>
                      <span class="strong">{time}</span> {more !== '' && <span class="soft">{more}</span>}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
            <p class="soft">{text.gone}</p>
          </>
        );
      }}
    </Read>
  );
}
