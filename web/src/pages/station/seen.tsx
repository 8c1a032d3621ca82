import { useState } from 'preact/hooks';
import type { Preview, PreviewRow } from '../../data/sources/parsers.ts';
import { times } from '../../data/times.ts';
import { decimalText } from '../../format/numbers.ts';
import { Button } from '../../ui/button.tsx';
import { ScrollArea } from '../../ui/scroll-area.tsx';
import { draft, namesOf, viewOf } from './draft.ts';
import { say } from './words.ts';

/** This many columns stand side by side, of which there may be hundreds. */
const AT_ONCE = 6;
/** This many rows are shown; those with a failure come with their reason. */
const ROWS = 20;

/** Shows what is read of the first lines, and why a line or a field is not. */
export function Seen({ preview, isBusy }: { readonly preview: Preview; readonly isBusy: boolean }) {
  const text = say();
  const d = draft();
  const [from, setFrom] = useState(0);
  const all = viewOf(d)?.columns.filter(({ isOff }) => !isOff) ?? [];
  const byKey = new Map(preview.columns.map((column) => [column.series, column]));
  const known = all.filter(({ series }) => byKey.has(series));
  const start = Math.min(from, Math.max(known.length - 1, 0));
  const shown = known.slice(start, start + AT_ONCE);
  const labelAt = (index: number) => d.labels[index] || text.column(index + 1);
  const rows = preview.rows.slice(0, ROWS);
  const bad = preview.rows.slice(ROWS).filter(({ failures, time }) => failures.length > 0 || time === null);
  return (
    <div class="station-seen" aria-busy={isBusy}>
      <header>
        <h3>{text.seen}</h3>
        {known.length > AT_ONCE && (
          <p class="station-choices">
            <Button
              icon="left"
              aria-label={text.earlier}
              disabled={start === 0}
              onClick={() => setFrom(Math.max(start - AT_ONCE, 0))}
            />
            <span class="soft">{text.shown(start + 1, Math.min(start + AT_ONCE, known.length), known.length)}</span>
            <Button
              icon="right"
              aria-label={text.later}
              disabled={start + AT_ONCE >= known.length}
              onClick={() => setFrom(Math.min(start + AT_ONCE, known.length - 1))}
            />
          </p>
        )}
      </header>
      <ScrollArea class="station-table" label={text.seen}>
        <table>
          <thead>
            <tr>
              <th scope="col">{text.line}</th>
              <th scope="col">
                {text.time} <span class="soft">{times().zone.name}</span>
              </th>
              {shown.map((column) => {
                const { name, units } = namesOf(d, column);
                return (
                  <th key={column.key} scope="col">
                    <bdi>{name}</bdi> <span class="soft">{units}</span>
                  </th>
                );
              })}
            </tr>
          </thead>
          <tbody>
            {[...rows, ...bad].map((row) => (
              <Row
                key={row.line}
                row={row}
                indexes={shown.map(({ series }) => byKey.get(series)!.index)}
                labelAt={labelAt}
              />
            ))}
          </tbody>
        </table>
      </ScrollArea>
    </div>
  );
}

type RowProps = {
  readonly row: PreviewRow;
  readonly indexes: readonly number[];
  readonly labelAt: (index: number) => string;
};

function Row({ row: { line, time, values, failures }, indexes, labelAt }: RowProps) {
  const text = say();
  return (
    <>
      <tr class={time === null ? 'is-bad' : ''}>
        <td class="number">{line}</td>
        <td class="number">{time === null ? text.notRead : times().whole(Date.parse(time))}</td>
        {indexes.map((index) => (
          <td key={index} class={failures.some(({ column }) => column === index) ? 'is-bad number' : 'number'}>
            {shownValue(values[String(index)])}
          </td>
        ))}
      </tr>
      {failures.length > 0 && (
        <tr class="station-reason">
          <td colSpan={2 + indexes.length}>
            {failures.map(({ column, reason }) => (
              <p key={`${column} ${reason}`}>
                {text.reason(line, column === null ? undefined : labelAt(column), text.said(reason))}
              </p>
            ))}
          </td>
        </tr>
      )}
    </>
  );
}

function shownValue(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return decimalText(value, null);
  if (typeof value === 'object') return 'v' in value ? shownValue((value as { v: unknown }).v) : JSON.stringify(value);
  return String(value);
}
