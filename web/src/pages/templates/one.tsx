import { useState } from 'preact/hooks';
import { nodeAddress, templatesAddress } from '../../data/addresses.ts';
import { updateNode } from '../../data/nodes/nodes.ts';
import {
  giveBack,
  type Instance,
  type OwnValue,
  ownValues,
  type Template,
  unlinkInstance,
} from '../../data/nodes/templates.ts';
import { isOvertaken } from '../../data/requests/failures.ts';
import { useAsked } from '../../data/requests/use-asked.ts';
import { may } from '../../data/session/rights.ts';
import { localeOf } from '../../data/times.ts';
import { usePageTitle } from '../../parts/page-title.tsx';
import { formWords, tableWords } from '../../parts/words-of.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogAnswers } from '../../ui/dialog-answers.tsx';
import { valueText } from '../../ui/form/index.ts';
import { Busy, EmptyState, Problem } from '../../ui/notes.tsx';
import { type Column, Table } from '../../ui/table/index.ts';
import { toast } from '../../ui/toast.tsx';
import { useMedia } from '../../ui/use-media.ts';
import { errorText } from '../../words/error-text.ts';
import { language, words } from '../../words/index.ts';
import { MakeInstance } from './dialogs.tsx';
import { say } from './words.ts';

/** The own values of an instance stand beside the list from this width on. */
const WIDE = '(width >= 80rem)';

type OneProps = { readonly template: Template; readonly again: () => void };

/** A template with its instances. */
export function OneTemplate({ template, again }: OneProps) {
  const text = say();
  const { ui } = words.value;
  const { root, nodes, instances } = template;
  const [isMaking, setMaking] = useState(false);
  const [active, setActive] = useState<string>();
  const [isOpen, setOpen] = useState(false);
  usePageTitle(root.name);
  const isWide = useMedia(WIDE);
  const selected = instances.find(({ _id }) => _id === active) ?? (isWide ? instances[0] : undefined);
  const make = (
    <Button look="main" icon="plus" onClick={() => setMaking(true)}>
      {text.makeInstance}
    </Button>
  );
  return (
    <section class="page is-full" aria-labelledby="title">
      <p>
        <a href={templatesAddress()}>{text.all}</a>
      </p>
      <header class="page-head">
        <h1 id="title" dir="auto">
          {root.name}
        </h1>
        <p class="soft">
          {text.nodes(nodes.length)} · {text.instances(instances.length)}
        </p>
        <span class="buttons">
          {make}
          <a class="button is-quiet" href={nodeAddress(root._id, 'settings')}>
            {text.open}
          </a>
        </span>
      </header>
      <May template={template} />
      <div class="beside">
        <div class="beside-main">
          <Table<Instance>
            label={text.instancesTitle}
            columns={columnsOf()}
            rows={instances}
            keyOf={({ _id }) => _id}
            words={tableWords()}
            locale={localeOf(language.value)}
            fileName={root.name}
            active={selected?._id}
            onActive={setActive}
            onOpen={({ _id }) => {
              setActive(_id);
              setOpen(true);
            }}
            card={{
              below: 560,
              height: 64,
              show: (instance) => (
                <>
                  <p class="card-main">
                    <button
                      type="button"
                      class="button is-bare"
                      onClick={() => {
                        setActive(instance._id);
                        setOpen(true);
                      }}
                    >
                      <bdi>{instance.name}</bdi>
                    </button>
                  </p>
                  <p class="card-facts">
                    <bdi>{instance.place}</bdi>
                  </p>
                </>
              ),
            }}
            empty={
              <EmptyState icon="copy" title={text.noInstances} action={make}>
                {text.noInstancesText}
              </EmptyState>
            }
          />
        </div>
        {isWide && selected && (
          <aside class="beside-panel" aria-label={text.ownTitle(selected.name)}>
            <h2 dir="auto">{text.ownTitle(selected.name)}</h2>
            <Own key={selected._id} template={template} instance={selected} again={again} />
          </aside>
        )}
      </div>
      {!isWide && isOpen && selected && (
        <Dialog
          title={text.ownTitle(selected.name)}
          onClose={() => setOpen(false)}
          closeText={ui.close}
          class="is-large"
        >
          <Own key={selected._id} template={template} instance={selected} again={again} />
        </Dialog>
      )}
      {isMaking && <MakeInstance template={template} onMade={again} onClose={() => setMaking(false)} />}
    </section>
  );
}

function columnsOf(): readonly Column<Instance>[] {
  const { columns } = say();
  return [
    {
      id: 'name',
      title: columns.name,
      width: 'minmax(10rem, 1fr)',
      isFixed: true,
      text: ({ name }) => name,
      cell: ({ _id, name }) => (
        <a tabIndex={-1} href={nodeAddress(_id)} dir="auto">
          {name}
        </a>
      ),
    },
    { id: 'place', title: columns.place, width: 'minmax(10rem, 1.5fr)', text: ({ place }) => place },
  ];
}

/** Shows what the nodes of a template let their instances change. */
function May({ template: { nodes } }: { readonly template: Template }) {
  const text = say();
  const open = nodes.filter(({ overrides = [] }) => overrides.length > 0);
  const { label } = formWords();
  return (
    <details class="template-may">
      <summary>
        {text.may} ({open.reduce((sum, { overrides = [] }) => sum + overrides.length, 0)})
      </summary>
      {open.length === 0 && <p class="soft">{text.mayNothing}</p>}
      <ul>
        {open.map(({ _id, name, overrides = [] }) => (
          <li key={_id}>
            <a href={nodeAddress(_id, 'settings')} dir="auto">
              {name}
            </a>
            : {overrides.map(label).join(', ')}
          </li>
        ))}
      </ul>
    </details>
  );
}

type OwnProps = { readonly template: Template; readonly instance: Instance; readonly again: () => void };

function Own({ template, instance, again }: OwnProps) {
  const text = say();
  const { ui } = words.value;
  const form = formWords();
  const asked = useAsked((stop) => ownValues(template, instance, stop), [template, instance._id]);
  const [isUnlinking, setUnlinking] = useState(false);
  const mayChange = may('CONFIGURE', instance);
  const { value, error } = asked;
  const back = async (value: OwnValue) => {
    try {
      await giveBack(value);
      const undo = () =>
        updateNode(value.nodeId, value.before)
          .then(asked.again)
          .catch((failure) => toast(errorText(failure), { isBad: true }));
      toast(text.gaveBack(form.label(value.attribute)), { action: { label: ui.undo, run: undo } });
    } catch (failure) {
      toast(isOvertaken(failure) ? text.changedMeanwhile : errorText(failure), { isBad: true });
    }
    asked.again();
  };
  return (
    <div class="template-own">
      <p class="soft">
        <bdi>{instance.place}</bdi>
      </p>
      {error !== undefined && (
        <Problem text={`${text.ownFailed} ${errorText(error)}`} again={asked.again} againText={ui.again} />
      )}
      {value === undefined && error === undefined && <Busy text={text.ownLoading} />}
      {value?.length === 0 && <p>{text.ownNone}</p>}
      {value?.map((value) => (
        <section key={`${value.nodeId} ${value.attribute}`} class="template-value">
          <h3>
            <bdi>{value.name}</bdi>: {form.label(value.attribute)}
          </h3>
          <dl>
            <dt>{text.ofInstance}</dt>
            <dd dir="auto">{valueText(value.own, form)}</dd>
            <dt>{text.ofTemplate}</dt>
            <dd dir="auto">{valueText(value.template, form)}</dd>
          </dl>
          {mayChange && (
            <Button
              icon="undo"
              aria-label={text.giveBackOf(form.label(value.attribute), value.name)}
              onClick={() => back(value)}
            >
              {text.giveBack}
            </Button>
          )}
        </section>
      ))}
      <p class="buttons">
        <a class="button is-quiet" href={nodeAddress(instance._id)}>
          {text.toNode}
        </a>
        {mayChange && <Button onClick={() => setUnlinking(true)}>{text.unlink}</Button>}
      </p>
      {isUnlinking && <Unlink instance={instance} onDone={again} onClose={() => setUnlinking(false)} />}
    </div>
  );
}

type UnlinkProps = { readonly instance: Instance; readonly onDone: () => void; readonly onClose: () => void };

function Unlink({ instance, onDone, onClose }: UnlinkProps) {
  const text = say();
  const { ui } = words.value;
  const [problem, setProblem] = useState('');
  const unlink = async () => {
    try {
      await unlinkInstance(instance._id);
      toast(text.unlinked(instance.name));
      onClose();
      onDone();
    } catch (error) {
      setProblem(errorText(error));
    }
  };
  return (
    <Dialog title={text.unlinkTitle(instance.name)} onClose={onClose} closeText={ui.close}>
      <div class="form">
        <p>{text.unlinkText}</p>
        <DialogAnswers
          problem={problem}
          main={text.unlink}
          look={'danger'}
          cancel={ui.cancel}
          onCancel={onClose}
          onMain={unlink}
          isCancelFirst
        />
      </div>
    </Dialog>
  );
}
