import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { nodeAddress, reportAddress, reportFileAddress } from '../../data/addresses.ts';
import { mayCreatePages } from '../../data/pages/may-create-pages.ts';
import { followReports, type Report, readReports, reports } from '../../data/pages/reports.ts';
import { client } from '../../data/requests/client.ts';
import { may } from '../../data/session/rights.ts';
import { type PageAction, PageActionDialog } from '../../parts/page-dialogs.tsx';
import { usePageTitle } from '../../parts/page-title.tsx';
import { scheduleText } from '../../parts/schedule-text.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Busy, EmptyState, Problem } from '../../ui/notes.tsx';
import { errorText } from '../../words/error-text.ts';
import { words } from '../../words/index.ts';
import { say } from './words.ts';

/** Shows all reports; made, named, copied and deleted here. Shown once the words are here. */
export function ReportList() {
  const { frame, table, ui } = words.value;
  const { route } = useLocation();
  const [typed, setTyped] = useState('');
  const [action, setAction] = useState<PageAction<Report>>();
  useEffect(followReports, []);
  usePageTitle(frame.reports);
  const text = say();
  const all = reports.value;
  const shown =
    all.kind === 'ready'
      ? all.reports.filter(({ name, description = '' }) =>
          `${name} ${description}`.toLocaleLowerCase().includes(typed.trim().toLocaleLowerCase()),
        )
      : [];
  const create = mayCreatePages() && (
    <Button look="main" icon="plus" onClick={() => setAction({ kind: 'create' })}>
      {text.create}
    </Button>
  );
  return (
    <section class="page" aria-labelledby="title">
      <header class="page-head">
        <h1 id="title">{frame.reports}</h1>
        {all.kind === 'ready' && all.reports.length > 0 && (
          <>
            <input
              class="field"
              type="search"
              aria-label={table.filter}
              placeholder={table.filter}
              value={typed}
              onInput={(event) => setTyped(event.currentTarget.value)}
            />
            {create}
          </>
        )}
      </header>
      {all.kind === 'loading' && <Busy text={ui.loading} />}
      {all.kind === 'failed' && (
        <Problem
          text={`${text.listFailed} ${errorText(all.error)}`}
          again={() => void readReports()}
          againText={ui.again}
        />
      )}
      {all.kind === 'ready' && all.reports.length === 0 && (
        <EmptyState icon="file" title={text.none} action={create}>
          {text.noneText}
        </EmptyState>
      )}
      {all.kind === 'ready' && all.reports.length > 0 && shown.length === 0 && <p class="soft">{table.noMatch}</p>}
      <ul class="report-list">
        {shown.map((report) => (
          <Line key={report._id} report={report} onAct={setAction} />
        ))}
      </ul>
      {action && (
        <PageActionDialog
          action={action}
          text={text}
          class="Report"
          loses={lossOf}
          onChanged={() => void readReports()}
          onClose={() => setAction(undefined)}
          onMade={(id) => route(reportAddress(id))}
        />
      )}
    </section>
  );
}

async function lossOf(id: string): Promise<{ readonly text: string; readonly isPublic: boolean }> {
  const { template, isPublic = false } = (await client.nodes.get(id, { attr: 'template,isPublic' })) as {
    readonly template?: { readonly elements?: readonly unknown[] };
    readonly isPublic?: boolean;
  };
  return { text: say().deleteText(template?.elements?.length ?? 0), isPublic };
}

type LineProps = { readonly report: Report; readonly onAct: (action: PageAction<Report>) => void };

function Line({ report, onAct }: LineProps) {
  const text = say();
  const { _id, name, description, schedule, timezone = 'Etc/UTC', isPublic } = report;
  const mayChange = may('CONFIGURE', report);
  return (
    <li>
      <Icon name="file" />
      <span class="report-list-name">
        {mayChange ? (
          <a href={reportAddress(_id)} dir="auto">
            {name}
          </a>
        ) : (
          <bdi>{name}</bdi>
        )}
        {description ? (
          <span class="soft" dir="auto">
            {description}
          </span>
        ) : null}
      </span>
      {mayChange ? (
        <a class="report-list-when" href={reportAddress(_id, 'sending')}>
          {scheduleText(schedule, timezone, text)}
        </a>
      ) : (
        <span class="report-list-when">{scheduleText(schedule, timezone, text)}</span>
      )}
      {isPublic && <span class="soft">{text.shared}</span>}
      <a
        class="button is-quiet"
        href={reportFileAddress(_id)}
        target="_blank"
        rel="noreferrer"
        aria-label={text.fileOf(name)}
      >
        PDF
      </a>
      {mayChange && (
        <Menu
          label={text.actionsOf(name)}
          button={<Icon name="more" />}
          items={[
            { label: text.edit, icon: 'pencil', href: reportAddress(_id) },
            { label: text.rename, icon: 'pencil', onSelect: () => onAct({ kind: 'rename', page: report }) },
            { label: text.clone, icon: 'copy', onSelect: () => onAct({ kind: 'clone', page: report }) },
            { label: text.settings, icon: 'gear', href: nodeAddress(_id, 'settings') },
            {
              label: text.delete,
              icon: 'trash' as const,
              isDanger: true,
              onSelect: () => onAct({ kind: 'delete', page: report }),
            },
          ]}
        />
      )}
    </li>
  );
}
