import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { nodeAddress, templatesAddress } from '../../data/addresses.ts';
import { className } from '../../data/nodes/classes.ts';
import { MOST_INSTANCES, readTemplates, type Template, type Templates } from '../../data/nodes/templates.ts';
import { type Asked, useAsked } from '../../data/requests/use-asked.ts';
import { isAdministrator, may } from '../../data/session/rights.ts';
import { onNodes } from '../../data/streams/live.ts';
import { PageNote, usePageTitle } from '../../parts/page-title.tsx';
import { Button } from '../../ui/button.tsx';
import { Busy, EmptyState, Problem } from '../../ui/notes.tsx';
import { loadAttributeWords } from '../../words/attributes.ts';
import { errorText } from '../../words/error-text.ts';
import { language, words } from '../../words/index.ts';
import { MakeTemplate } from './dialogs.tsx';
import { OneTemplate } from './one.tsx';
import { hasWords, loadWords, say } from './words.ts';
import '../../styles/console/tables.css';
import '../../styles/console/alarms.css';
import '../../styles/console/templates.css';

/** News of templates and instances come in bursts: a change of one reaches many. */
const SETTLE_MS = 2_000;

/** Shows templates of the account, their instances, and what these have of their own. */
export default function TemplatesPage({ id }: { readonly id?: string }) {
  const { ui } = words.value;
  const [failure, setFailure] = useState<unknown>();
  const [attempt, setAttempt] = useState(0);
  const [news, setNews] = useState(0);
  const wanted = language.value;
  useEffect(() => {
    Promise.all([loadWords(), loadAttributeWords()]).then(() => setFailure(undefined), setFailure);
  }, [wanted, attempt]);
  const asked = useAsked(readTemplates, [news]);
  const { value } = asked;
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const known = new Set(
      (value?.list ?? []).flatMap(({ nodes, instances }) => [...nodes, ...instances].map((node) => node._id)),
    );
    const stop = onNodes((news) => {
      const isKnown = news.kind === 'reset' || known.has(news.kind === 'node' ? news.node._id : news.id);
      // A value of an instance is no change of it.
      const isChange = news.kind !== 'node' || news.node.workspaceId === value?.rootId;
      if (isKnown && isChange)
        timer ??= setTimeout(() => {
          timer = undefined;
          setNews((n) => n + 1);
        }, SETTLE_MS);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [value]);
  if (!hasWords())
    return (
      <section class="page">
        {failure === undefined ? (
          <Busy text={ui.loading} />
        ) : (
          <Problem text={errorText(failure)} again={() => setAttempt((n) => n + 1)} againText={ui.again} />
        )}
      </section>
    );
  return <Shown asked={asked} id={id} />;
}

function Shown({ asked, id }: { readonly asked: Asked<Templates>; readonly id: string | undefined }) {
  const text = say();
  const { ui } = words.value;
  const { value, error, again } = asked;
  if (value === undefined)
    return (
      <section class="page">
        {error === undefined ? (
          <Busy text={text.loading} />
        ) : (
          <Problem text={`${text.failed} ${errorText(error)}`} again={again} againText={ui.again} />
        )}
      </section>
    );
  if (id === undefined) return <All all={value} error={error} again={again} />;
  const template = value.list.find(({ root }) => root._id === id);
  if (template) return <OneTemplate key={id} template={template} again={again} />;
  return (
    <PageNote
      icon="copy"
      title={text.gone}
      action={
        <a class="button" href={templatesAddress()}>
          {text.all}
        </a>
      }
    />
  );
}

type AllProps = { readonly all: Templates; readonly error: unknown; readonly again: () => void };

function All({ all, error, again }: AllProps) {
  const text = say();
  usePageTitle(text.title);
  const { ui } = words.value;
  const { route } = useLocation();
  const [isMaking, setMaking] = useState(false);
  const mayMake = all.mayMake === undefined ? isAdministrator() : may('CONFIGURE', { permissions: all.mayMake });
  const make = mayMake && (
    <Button look="main" icon="plus" onClick={() => setMaking(true)}>
      {text.make}
    </Button>
  );
  return (
    <section class="page templates-page" aria-labelledby="title">
      <header class="page-head">
        <h1 id="title">{text.title}</h1>
        {all.list.length > 0 && make}
      </header>
      <p class="soft">{text.lead}</p>
      {error !== undefined && (
        <Problem text={`${text.failed} ${errorText(error)}`} again={again} againText={ui.again} />
      )}
      {all.hasMore && <p class="soft">{text.cut(MOST_INSTANCES)}</p>}
      {all.list.length === 0 ? (
        <EmptyState icon="copy" title={text.none} action={make}>
          {mayMake ? text.noneText : text.noneSeen}
        </EmptyState>
      ) : (
        <ul class="template-list">
          {all.list.map((template) => (
            <Line key={template.root._id} template={template} />
          ))}
        </ul>
      )}
      {isMaking && (
        <MakeTemplate
          rootId={all.rootId}
          onMade={({ _id }) => {
            again();
            route(nodeAddress(_id, 'settings'));
          }}
          onClose={() => setMaking(false)}
        />
      )}
    </section>
  );
}

function Line({ template: { root, nodes, instances } }: { readonly template: Template }) {
  const text = say();
  return (
    <li>
      <div>
        <a href={templatesAddress(root._id)} dir="auto">
          <strong>{root.name}</strong>
        </a>
        <p class="soft">
          {className(root._class)} · {text.nodes(nodes.length)} · {text.instances(instances.length)}
        </p>
      </div>
      <a class="button is-quiet" href={nodeAddress(root._id, 'settings')}>
        {text.open}
        <span class="unseen"> {root.name}</span>
      </a>
    </li>
  );
}
