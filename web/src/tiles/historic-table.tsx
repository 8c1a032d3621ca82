import type { TableView } from '@catchment/dashboard-view';
import { useRef } from 'preact/hooks';
import { Empty, Failed, Outdated } from '../components/notes.tsx';
import { usePage } from '../components/page-context.ts';
import { ScrollRegion } from '../components/scroll-region.tsx';
import { useAnswer } from '../components/use-answer.ts';
import { useSeen } from '../components/use-seen.ts';
import { localNumber } from '../format/numbers.ts';
import { absoluteTime, periodText } from '../format/times.ts';
import type { Zone } from '../format/zone.ts';
import type { TileProps } from './content.ts';

/** Shows records of the period, newest first. */
export function HistoricTable({ content: { dataUrl, revision, period }, name }: TileProps<'HISTORIC_TABLE'>) {
  const ref = useRef<HTMLDivElement>(null);
  const { zone } = usePage();
  const { value: table, hasFailed, again } = useAnswer<TableView>(dataUrl, revision, useSeen(ref));
  return (
    <div ref={ref} class="historic">
      {hasFailed && !table && <Failed what="table" again={again} />}
      {hasFailed && table && <Outdated what="table" again={again} />}
      {!table && !hasFailed && <p class="loading">Loading…</p>}
      {table && table.rows.length === 0 && <Empty>{`No records in the ${periodText(period)}.`}</Empty>}
      {table && table.rows.length > 0 && (
        <ScrollRegion label={`${name}, ${periodText(period)}`}>
          <Records table={table} zone={zone.value} caption={`${name}, ${periodText(period)}, newest first`} />
        </ScrollRegion>
      )}
    </div>
  );
}

type RecordsProps = { readonly table: TableView; readonly zone: Zone; readonly caption: string };

function Records({ table, zone, caption }: RecordsProps) {
  return (
    <table class="records">
      <caption class="unseen">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">Time</th>
          {table.columns.map(({ name, units }, i) => (
            <th scope="col" key={i} class="number">
              <bdi>{name}</bdi>
              {units !== '' && <span class="units"> {units}</span>}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {table.rows.map(({ time, cells }) => (
          <tr key={time}>
            <th scope="row">{timeOf(time, zone)}</th>
            {table.columns.map(({ isNumber }, i) => (
              <td key={i} class="number">
                {isNumber ? localNumber(cells[i] ?? '') : cells[i]}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
      {table.hasMore && (
        <tfoot>
          <tr>
            <td colSpan={table.columns.length + 1}>Older records of the period are not shown here.</td>
          </tr>
        </tfoot>
      )}
    </table>
  );
}

/** Writes an ISO time in the view's zone; any other text as it is. */
function timeOf(time: string, zone: Zone): string {
  const ms = /^\d{4}-\d{2}-\d{2}T/.test(time) ? Date.parse(time) : Number.NaN;
  return Number.isFinite(ms) ? absoluteTime(ms, zone) : time;
}
