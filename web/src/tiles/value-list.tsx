import { Empty } from '../components/notes.tsx';
import { ScrollRegion } from '../components/scroll-region.tsx';
import { StateBadge } from '../components/state-badge.tsx';
import { TimeText } from '../components/time-text.tsx';
import { shownValue } from '../format/numbers.ts';
import { Icon } from '../ui/icon.tsx';
import type { TileProps } from './content.ts';

/** Shows a row for each parameter, in the order of the links. */
export function ValueList({ content: { parameters }, name }: TileProps<'VALUE_LIST'>) {
  if (parameters.length === 0) return <Empty>Nothing is linked.</Empty>;
  return (
    <ScrollRegion label={name}>
      <table class="values">
        <caption class="unseen">{name}</caption>
        <thead class="unseen">
          <tr>
            <th scope="col">Parameter</th>
            <th scope="col">Value</th>
            <th scope="col">Time</th>
          </tr>
        </thead>
        <tbody>
          {parameters.map((parameter, i) =>
            parameter === null ? (
              <tr key={i}>
                <td colSpan={3}>
                  <span class="broken">
                    <Icon name="warning" /> This parameter is not there any more.
                  </span>
                </td>
              </tr>
            ) : (
              <tr key={i}>
                <th scope="row">
                  <bdi>{parameter.name}</bdi> {parameter.state && <StateBadge state={parameter.state} />}
                </th>
                <td class="number">
                  {parameter.time === null ? (
                    <span class="none">No value</span>
                  ) : (
                    <>
                      <span class="amount">{shownValue(parameter)}</span>
                      {parameter.units !== '' && <span class="units"> {parameter.units}</span>}
                    </>
                  )}
                </td>
                <td class="when">{parameter.time !== null && <TimeText iso={parameter.time} />}</td>
              </tr>
            ),
          )}
        </tbody>
      </table>
    </ScrollRegion>
  );
}
