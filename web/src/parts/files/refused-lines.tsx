import { useState } from 'preact/hooks';
import { useAsked } from '../../data/requests/use-asked.ts';
import { refusedOf } from '../../data/transfers/imports.ts';
import { Busy, Problem } from '../../ui/notes.tsx';
import { ScrollArea } from '../../ui/scroll-area.tsx';
import { errorText } from '../../words/error-text.ts';
import { words } from '../../words/index.ts';
import { say } from './words.ts';

/** Shows each line of an import that was not read: where, why, and what it says. They are asked for when somebody looks. */
export function RefusedLines({ id, fileName }: { readonly id: string; readonly fileName: string }) {
  const { data } = say();
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="refused" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{data.refusedLines}</summary>
      {isOpen && <List id={id} label={data.refusedOf(fileName)} />}
    </details>
  );
}

function List({ id, label }: { readonly id: string; readonly label: string }) {
  const { data } = say();
  const { ui } = words.value;
  const { value, error, again } = useAsked((signal) => refusedOf(id, signal), [id]);
  if (error !== undefined) return <Problem text={errorText(error)} again={again} againText={ui.again} />;
  if (value === undefined) return <Busy text={ui.loading} />;
  if (value === null) return <p class="soft">{data.noneRefused}</p>;
  return (
    <>
      <ScrollArea class="refused-scroll" label={label}>
        <table>
          <thead>
            <tr>
              <th scope="col">{data.line}</th>
              <th scope="col">{data.column}</th>
              <th scope="col">{data.reason}</th>
              <th scope="col">{data.lineText}</th>
            </tr>
          </thead>
          <tbody>
            {value.lines.map(({ line, column, reason, text }) => (
              <tr key={`${line} ${column}`}>
                <td class="number">{line}</td>
                <td class="number">{column ?? data.wholeLine}</td>
                <td lang="en" dir="auto">
                  {reason}
                </td>
                <td>
                  <code dir="auto">{text}</code>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollArea>
      {value.count > value.lines.length && <p class="soft">{data.moreRefused(value.count, value.lines.length)}</p>}
    </>
  );
}
