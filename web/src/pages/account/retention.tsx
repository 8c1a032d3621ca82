import { readLimits } from '../../data/account/usage.ts';
import { useAsked } from '../../data/requests/use-asked.ts';
import { start } from '../../data/session/session.ts';
import { times } from '../../data/times.ts';
import { Once } from '../../ui/once.tsx';
import { Read } from './read.tsx';
import { say } from './words.ts';

/** Writes the command by which the operator sets the days as they are now (docs/operations/retention.md#days-of-an-account). */
const commandOf = (recordDays: number | null, eventDays: number | null): string =>
  `catchment account update ${start().account.slug} --record-days ${recordDays ?? 0} --event-days ${eventDays ?? 0}`;

/** Shows how long data of the account are kept (docs/operations/retention.md). */
export function Retention() {
  const text = say().retention;
  const { copied, copyFailed } = say().webhooks;
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
            <Once value={commandOf(recordDays, eventDays)} label={text.copy} copied={copied} failed={copyFailed} />
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
