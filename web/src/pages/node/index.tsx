import type { ComponentType } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { nodeAddress, overviewAddress, type Tab } from '../../data/addresses.ts';
import { hasSource } from '../../data/nodes/classes.ts';
import { holdNode, type Node, rereadNode } from '../../data/nodes/nodes.ts';
import { useNode } from '../../data/nodes/use-node.ts';
import { useAsked } from '../../data/requests/use-asked.ts';
import { may, rightsOf } from '../../data/session/rights.ts';
import { hasRecords } from '../../parts/chart/series.ts';
import { PageNote } from '../../parts/page-title.tsx';
import { Busy, Problem } from '../../ui/notes.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { toast } from '../../ui/toast.tsx';
import { errorText } from '../../words/error-text.ts';
import { words } from '../../words/index.ts';
import { Below } from './below.tsx';
import { stateOf } from './chart/explorer-address.ts';
import { NodeChart } from './chart/index.tsx';
import { hasFiles, isAttachment } from './has-files.ts';
import { hasProgram, hasRating, isProgram } from './has-program.ts';
import { hasRules } from './has-rules.ts';
import { NodeHead } from './head.tsx';
import '../../styles/console/tables.css';
import '../../styles/console/node.css';
import '../../styles/console/alarms.css';

type NodePageProps = { readonly id?: string; readonly tab?: string };
const TABS: readonly Tab[] = [
  'chart',
  'table',
  'mend',
  'alarms',
  'events',
  'files',
  'diagnosis',
  'program',
  'rating',
  'rules',
  'settings',
];

// The node of the address is asked for before it is drawn, and what its chart compares beside it.
const [, nodeId] = /\/n\/([0-9a-f]{24})\//.exec(location.pathname) ?? [];
const { with: compared } = stateOf(Object.fromEntries(new URLSearchParams(location.search)));
if (nodeId !== undefined) for (const id of [nodeId, ...compared]) holdNode(id).release();

/** Shows a node: its value, its history, its alarms, what happened to it, and its settings. */
export default function NodePage({ id = '', tab = 'chart' }: NodePageProps) {
  const held = useNode(id);
  const { node: say, ui } = words.value;
  const node = held.kind === 'ready' ? held.node : 'last' in held ? held.last : undefined;
  useMoves(node);
  useRights(node);
  if (held.kind === 'loading')
    return (
      <section class="page">
        <Busy text={say.loading} />
      </section>
    );
  if (!node)
    return held.kind === 'gone' ? (
      <PageNote
        icon="cube"
        title={say.gone}
        action={
          <a class="button is-main" href={overviewAddress()}>
            {say.toOverview}
          </a>
        }
      >
        {say.goneUnknown}
      </PageNote>
    ) : (
      <section class="page">
        <Problem
          text={`${say.failed} ${errorText('error' in held ? held.error : undefined)}`}
          again={() => void rereadNode(id)}
          againText={ui.again}
        />
      </section>
    );
  const isGone = held.kind === 'gone';
  return (
    <section class={isGone ? 'page is-full is-stale' : 'page is-full'} aria-labelledby="title">
      {isGone && <Problem text={`${say.gone}. ${say.goneText}`} />}
      {held.kind === 'failed' && (
        <Problem
          text={`${say.failed} ${errorText(held.error)}`}
          again={() => void rereadNode(id)}
          againText={ui.again}
        />
      )}
      <NodeHead node={node} />
      <Tabs
        label={say.tabs}
        current={tab}
        items={tabsOf(node).map((key) => ({
          key,
          label: labelOf(node, key),
          href: nodeAddress(id, key),
        }))}
      />
      <Part key={tab} node={node} tab={tab} isGone={isGone} />
    </section>
  );
}

const tabsOf = (node: Node): readonly Tab[] =>
  TABS.filter((tab) => {
    switch (tab) {
      case 'table':
        return hasRecords(node);
      case 'mend':
        return isMendable(node);
      case 'files':
        return hasFiles(node);
      case 'diagnosis':
        return hasSource(node);
      case 'program':
        return hasProgram(node);
      case 'rating':
        return hasRating(node);
      case 'rules':
        return hasRules(node);
      default:
        return true;
    }
  });

/** Accepts records of parameters that are written from outside: what is computed is mended where it comes from. */
const isMendable = (node: Node): boolean =>
  node._class.includes('.point.') && hasSource(node) && (may('EDIT_DATA', node) || may('EDIT_QUALITY', node));

function labelOf(node: Node, key: Tab): string {
  const { node: say, diagnosis } = words.value;
  if (key === 'diagnosis') return diagnosis.tab;
  if (key === 'program') return isProgram(node) ? say.program : say.sharedCode;
  if (key === 'chart' && isAttachment(node)) return say.files;
  return key === 'chart' && !hasRecords(node) && !node._class.includes('.chart.') ? say.below : say[key];
}

type PartProps = { readonly node: Node; readonly tab: string; readonly isGone: boolean };

function Part({ node, tab, isGone }: PartProps) {
  switch (tab) {
    case 'table':
    case 'mend':
    case 'alarms':
    case 'events':
    case 'files':
    case 'diagnosis':
    case 'program':
    case 'rating':
    case 'rules':
    case 'settings':
      return <Later part={tab} node={node} isGone={isGone} />;
    default:
      if (isAttachment(node)) return <Later part="files" node={node} isGone={isGone} />;
      return hasRecords(node) && !node._class.endsWith('.Location') ? <NodeChart node={node} /> : <Below node={node} />;
  }
}

type PartOf = ComponentType<Pick<PartProps, 'node' | 'isGone'>>;
/** These parts come when somebody opens them. */
const LATER: Readonly<Record<Exclude<Tab, 'chart'>, () => Promise<PartOf>>> = {
  table: () => import('./record-table.tsx').then(({ RecordTable }) => RecordTable),
  mend: () => import('./mend/index.tsx').then(({ Mend }) => Mend),
  alarms: () => import('./alarms.tsx').then(({ NodeAlarms }) => NodeAlarms),
  events: () => import('./events.tsx').then(({ NodeEvents }) => NodeEvents),
  files: () => import('./files/index.tsx').then(({ NodeFiles }) => NodeFiles),
  diagnosis: () => import('./diagnosis/index.tsx').then(({ NodeDiagnosis }) => NodeDiagnosis),
  program: () => import('./program/index.tsx').then(({ NodeProgram }) => NodeProgram),
  rating: () => import('./rating/index.tsx').then(({ NodeRating }) => NodeRating),
  rules: () => import('./rules/index.tsx').then(({ NodeRules }) => NodeRules),
  settings: () => import('./settings/index.tsx').then(({ NodeSettings }) => NodeSettings),
};

function Later({ part, node, isGone }: Pick<PartProps, 'node' | 'isGone'> & { readonly part: keyof typeof LATER }) {
  const { node: say, diagnosis, ui } = words.value;
  const { value: Content, error, again } = useAsked(() => LATER[part](), [part]);
  const usual = { loading: ui.loading, failed: say.failed };
  const ofSettings = { loading: say.settingsLoading, failed: say.settingsFailed };
  const { loading, failed } = part === 'settings' ? ofSettings : part === 'diagnosis' ? diagnosis : usual;
  if (error !== undefined) return <Problem text={failed} again={again} againText={ui.again} />;
  return Content ? <Content node={node} isGone={isGone} /> : <Busy text={loading} />;
}

/** Says it when what the person may do with the open node has changed. */
function useRights(node: Node | undefined): void {
  const known = useRef(node);
  useEffect(() => {
    const before = known.current;
    known.current = node;
    const [had, has] = [rightsOf(before), rightsOf(node)];
    if (!had || !has || before?._id !== node?._id) return;
    const { rightsLost, rightsGained } = words.value.node;
    if (had.some((right) => !has.includes(right))) toast(rightsLost);
    else if (has.some((right) => !had.includes(right))) toast(rightsGained);
  }, [node]);
}

/** Says it when somebody moves or renames the node that is open. */
function useMoves(node: Node | undefined): void {
  const known = useRef(node);
  useEffect(() => {
    const before = known.current;
    known.current = node;
    if (!before || !node || before._id !== node._id) return;
    if (before.name !== node.name) toast(`${before.name} → ${node.name}`);
  }, [node]);
}
