import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso';
import {
  type Kinds,
  type Limits,
  type NodeUse,
  readLimits,
  readUsage,
  type Usage,
  type UsageOfNodes,
  usageOfNodes,
} from '../../data/account/usage.ts';
import { nodeAddress } from '../../data/addresses.ts';
import { useAsked } from '../../data/requests/use-asked.ts';
import { localeOf } from '../../data/times.ts';
import { countText, localNumber } from '../../format/numbers.ts';
import { sizeText } from '../../parts/size-text.ts';
import { tableWords } from '../../parts/words-of.ts';
import { EmptyState } from '../../ui/notes.tsx';
import { type Column, Table } from '../../ui/table/index.ts';
import { language } from '../../words/index.ts';
import { Bars } from './bars.tsx';
import { Meter, NEAR } from './meter.tsx';
import { Read } from './read.tsx';
import { say } from './words.ts';

type All = { readonly limits: Limits; readonly nodes: UsageOfNodes; readonly usage: Usage | undefined };

const readAll = async (): Promise<All> => {
  const [limits, nodes, usage] = await Promise.all([readLimits(), usageOfNodes(), readUsage()]);
  return { limits, nodes, usage };
};

/** Shows the usage of the account against its limits, with the Workspaces and sources that take most. */
export function UsagePart() {
  const text = say().usage;
  const asked = useAsked(readAll, []);
  return (
    <Read asked={asked}>
      {(all) => (
        <>
          <p class="account-lead">{text.lead}</p>
          <Figures {...all} />
          {all.usage && all.usage.accounts.length > 1 && <Accounts usage={all.usage} />}
          <h2>{text.workspaces}</h2>
          <UseTable
            label={text.workspaces}
            rows={all.nodes.workspaces.toSorted((a, b) => b.usage - a.usage || b.attachmentBytes - a.attachmentBytes)}
            columns={workspaceColumns()}
            empty={
              <EmptyState icon="folder" title={text.none}>
                {text.noneText}
              </EmptyState>
            }
          />
          <h2>{text.largest}</h2>
          <UseTable
            label={text.largest}
            rows={all.nodes.sources}
            columns={sourceColumns(new Map(all.nodes.workspaces.map(({ _id, name }) => [_id, name])))}
            empty={<EmptyState icon="source" title={text.noSource} />}
          />
        </>
      )}
    </Read>
  );
}

function Figures({ limits, nodes, usage }: All) {
  const text = say().usage;
  const { sources, rowsPerSourcePerDay } = limits;
  const bytes =
    usage?.accounts[0]?.attachmentBytes ??
    nodes.workspaces.reduce((sum, workspace) => sum + workspace.attachmentBytes, 0);
  const part = sources.usageLimit ? sources.usage / sources.usageLimit : 0;
  return (
    <section class="account-card" aria-label={say().tabs.usage}>
      <dl class="account-meters">
        <Meter label={text.sources} used={sources.usage} limit={sources.usageLimit} />
        <Meter label={text.nodes} used={limits.nodes.count} limit={limits.nodes.limit} textOf={countText} />
        <Meter label={text.sms} used={limits.sms.count} limit={limits.sms.limit} textOf={countText} />
        <Meter label={text.files} used={bytes} limit={null} textOf={sizeText} />
        <div class="account-meter">
          <dt>{text.records}</dt>
          <dd>
            {rowsPerSourcePerDay === null ? text.recordsNoLimit : text.recordsText(countText(rowsPerSourcePerDay))}
          </dd>
        </div>
      </dl>
      {part >= NEAR && <p class="account-warn">{part >= 1 ? text.over : text.near}</p>}
      {usage?.accounts[0] && <KindBars kinds={usage.accounts[0].usage} />}
    </section>
  );
}

function KindBars({ kinds: { attachmentsource, datasource } }: { readonly kinds: Kinds }) {
  const text = say().usage;
  const values = { ...datasource, attachmentsource };
  const bars = (['small', 'medium', 'large', 'attachmentsource'] as const).map((kind) => ({
    key: kind,
    label: text.kinds[kind],
    value: values[kind],
    text: localNumber(String(values[kind])),
  }));
  return <Bars label={text.sources} bars={bars} />;
}

/** Shows the usage of each account: the own one, and those that it manages. */
function Accounts({ usage }: { readonly usage: Usage }) {
  const text = say().usage;
  const sumOf = ({ attachmentsource, datasource: { small, medium, large } }: Kinds) =>
    Math.round((attachmentsource + small + medium + large) * 100) / 100;
  return (
    <section class="account-card" aria-label={text.accounts}>
      <h2>{text.accounts}</h2>
      <Bars
        label={text.accounts}
        bars={usage.accounts.map(({ _id, accountName, usage: own }) => ({
          key: _id,
          label: accountName,
          value: sumOf(own),
          text: localNumber(String(sumOf(own))),
        }))}
      />
    </section>
  );
}

type UseTableProps = {
  readonly label: string;
  readonly rows: readonly NodeUse[];
  readonly columns: readonly Column<NodeUse>[];
  readonly empty: ComponentChildren;
};

function UseTable({ label, rows, columns, empty }: UseTableProps) {
  const { route } = useLocation();
  return (
    <div class="account-table">
      <Table<NodeUse>
        label={label}
        columns={columns}
        rows={rows}
        keyOf={({ _id }) => _id}
        words={tableWords()}
        locale={localeOf(language.value)}
        fileName={label}
        empty={empty}
        onOpen={({ _id }) => route(nodeAddress(_id))}
        card={{ below: 640, height: 76, show: (row) => <UseCard row={row} /> }}
      />
    </div>
  );
}

function UseCard({ row }: { readonly row: NodeUse }) {
  const text = say().usage;
  return (
    <>
      <p class="card-main" dir="auto">
        <a href={nodeAddress(row._id)} tabIndex={-1}>
          {row.name}
        </a>
      </p>
      <p class="card-facts">
        <span>{`${text.rated} ${localNumber(String(row.usage))}`}</span>
        <span>{`${text.parameters} ${countText(row.parameters)}`}</span>
        <span>{sizeText(row.attachmentBytes)}</span>
      </p>
    </>
  );
}

const nameColumn = (): Column<NodeUse> => ({
  id: 'name',
  title: say().usage.name,
  width: 'minmax(10rem, 2fr)',
  isFixed: true,
  text: ({ name }) => name,
  cell: ({ _id, name }) => (
    <a href={nodeAddress(_id)} tabIndex={-1}>
      {name}
    </a>
  ),
});
const numberColumn = (
  id: string,
  title: string,
  value: (row: NodeUse) => number,
  textOf: (value: number) => string = countText,
): Column<NodeUse> => ({
  id,
  title,
  value,
  width: 'minmax(5.5rem, 1fr)',
  isNumber: true,
  text: (row) => textOf(value(row)),
});
const rest = (): readonly Column<NodeUse>[] => {
  const text = say().usage;
  return [
    numberColumn('parameters', text.parameters, ({ parameters }) => parameters),
    numberColumn(
      'usage',
      text.rated,
      ({ usage }) => usage,
      (value) => localNumber(String(value)),
    ),
    numberColumn('files', text.files, ({ attachmentBytes }) => attachmentBytes, sizeText),
  ];
};
const workspaceColumns = (): readonly Column<NodeUse>[] => [
  nameColumn(),
  numberColumn('sources', say().usage.sourceCount, ({ sources = 0 }) => sources),
  ...rest(),
];
const sourceColumns = (names: ReadonlyMap<string, string>): readonly Column<NodeUse>[] => [
  nameColumn(),
  {
    id: 'workspace',
    title: say().usage.workspace,
    width: 'minmax(8rem, 1.5fr)',
    text: ({ workspaceId = '' }) => names.get(workspaceId) ?? '',
  },
  ...rest(),
];
