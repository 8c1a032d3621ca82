import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { nodeAddress } from '../../../data/addresses.ts';
import { MOST_MENDED, type Range } from '../../../data/mend.ts';
import type { Node } from '../../../data/nodes.ts';
import { type Qualities, qualities } from '../../../data/quality.ts';
import { may } from '../../../data/rights.ts';
import { numberText, type StateOf, valueOrNone } from '../../../data/values.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Menu, type MenuItem } from '../../../ui/menu.tsx';
import { toast } from '../../../ui/toast.tsx';
import { language } from '../../../words/index.ts';
import { type Action, acted, added } from './actions.ts';
import { changesOf, type Transform } from './changes.ts';
import { MendChart, type Pointer } from './chart.tsx';
import type { Coding } from './coding.ts';
import { ActionFields, type ActionForm, AddFields, RuleFields, type Tool } from './forms.tsx';
import { Grid } from './grid.tsx';
import { begun, chose, did, type History, redid, undid } from './history.ts';
import { type Records, type Work, workOf } from './records.ts';
import { SaveDialog } from './save-dialog.tsx';
import type { Result } from './saving.ts';
import {
  between,
  countOf,
  everything,
  found,
  inverted,
  type Joining,
  joined,
  lassoed,
  type Mask,
  nearest,
  nothing,
  type Rule,
} from './selections.ts';
import { useKept } from './use-kept.ts';
import { useLeave } from './use-leave.ts';
import { say } from './words.ts';

type DeskProps = {
  readonly node: Node;
  readonly range: Range;
  readonly coding: Coding;
  readonly base: Records;
  readonly work: Work;
  readonly onUnsaved: (isUnsaved: boolean) => void;
};
type Held = { readonly base: Records; readonly history: History };
type Show = 'all' | 'changed' | 'chosen';

const RULES: readonly Rule['kind'][] = ['above', 'below', 'rate', 'spike', 'gap', 'persistence'];
/** Texts and times have these, since they have no size. */
const RULES_OF_TEXTS: readonly Rule['kind'][] = ['is', 'gap', 'persistence'];

/** Finds how stored values are shown; undefined where an equation shows them, which cannot be turned round. */
function transformOf(node: Node): Transform | undefined {
  const {
    multiplier = 1,
    offset = 0,
    equation,
  } = node as { multiplier?: number; offset?: number; equation?: string | null };
  return (equation ?? '') === '' && multiplier !== 0 ? { multiplier, offset } : undefined;
}

type NamedValue = { readonly name: string; readonly value: number | string };

/** The values by which states are distinguished, with their names: what is set is chosen among them. */
function statesOf({ displayType, statesType, states }: Node): readonly NamedValue[] {
  if (displayType !== 'STATE' || statesType === 'RANGE' || !Array.isArray(states)) return [];
  return (states as readonly StateOf[]).flatMap(({ name, threshold }) =>
    typeof threshold === 'number' || typeof threshold === 'string' ? [{ name, value: threshold }] : [],
  );
}

/** Lets people choose and change records. */
export function Desk({ node, range, coding, base: firstBase, work: firstWork, onUnsaved }: DeskProps) {
  const text = say();
  const { route } = useLocation();
  const [{ base, history }, setHeld] = useState<Held>(() => {
    const clean = begun({ work: workOf(firstBase), mask: nothing(firstBase) });
    const isRestored = changesOf(firstBase, firstWork).places.length > 0;
    const history = isRestored ? did(clean, { work: firstWork, mask: nothing(firstWork) }) : clean;
    return { base: firstBase, history };
  });
  const { work, mask } = history.now;
  const [pointer, setPointer] = useState<Pointer>('drag');
  const [joining, setJoining] = useState<Joining>('replace');
  const [tool, setTool] = useState<Tool>();
  const [show, setShow] = useState<Show>('all');
  const [isSaving, setSaving] = useState(false);
  const [said, setSaid] = useState('');
  const [known, setKnown] = useState<Qualities>();
  useEffect(() => {
    void qualities().then(setKnown);
  }, []);
  const version = useRef(0);
  const last = useRef(history.now);
  if (last.current !== history.now) version.current += 1;
  last.current = history.now;

  const changes = useMemo(() => changesOf(base, work), [base, work]);
  const count = changes.places.length;
  const chosen = useMemo(() => countOf(mask), [mask]);
  const { hasRoom, forget } = useKept(node._id, range, base, work, coding);
  useEffect(() => onUnsaved(count > 0), [count > 0]);
  const leave = useLeave(count > 0);
  const unsaved = useRef(count);
  unsaved.current = count;
  useEffect(
    () => () => {
      if (unsaved.current === 0) return;
      const address = nodeAddress(node._id, 'mend');
      toast(text.waits(unsaved.current), { action: { label: text.goBack, run: () => route(address) } });
    },
    [],
  );

  const transform = transformOf(node);
  const mayEdit = may('EDIT_DATA', node);
  const mayValue = mayEdit && transform !== undefined;
  const isNumber = coding.kind === 'number';
  const rules = isNumber ? RULES : RULES_OF_TEXTS;
  const valueText = (value: number) => (isNumber ? numberText(value, null) : valueOrNone(node, coding.valueOf(value)));
  const change = (to: (before: History) => History) => setHeld((held) => ({ ...held, history: to(held.history) }));
  const choose = (next: Mask) => {
    setSaid('');
    change((before) => chose(before, next));
  };
  /** @returns how many rows were found */
  const find = (rows: Mask): number => {
    choose(joined(mask, rows, joining));
    return countOf(rows);
  };
  const act = (action: Action) => {
    if (chosen === 0) {
      setSaid(text.chooseFirst);
      return;
    }
    const { work: next, left } = acted(base, work, mask, action);
    // A record that is deleted is chosen no more.
    change((before) => did(before, { work: next, mask: action.kind === 'delete' ? nothing(next) : mask }));
    setTool(undefined);
    setSaid(left > 0 ? text.left(left) : '');
  };
  const undo = () => change(undid);
  const redo = () => change(redid);
  const discard = () => {
    forget();
    // It can be taken back as any step.
    change((before) => did(before, { work: workOf(base), mask: nothing(base) }));
    toast(text.discarded, { action: { label: text.takeBack, run: undo } });
  };
  const saved = ({ after }: Result) => {
    if (after) setHeld({ base: after.base, history: begun({ work: after.work, mask: nothing(after.work) }) });
  };
  const places = useMemo(
    () => (show === 'all' ? undefined : show === 'changed' ? changes.places : Int32Array.from(placesOf(mask))),
    [show, show === 'changed' && changes, show === 'chosen' && mask],
  );
  const form = (of: ActionForm): MenuItem => ({
    label: text.actions[of],
    onSelect: () => setTool({ kind: 'action', of }),
  });
  const step = (kind: 'interpolate' | 'delete' | 'revert', more: Partial<MenuItem> = {}): MenuItem => ({
    label: text.actions[kind],
    onSelect: () => act({ kind }),
    ...more,
  });
  const actions: readonly MenuItem[] = [
    ...(mayValue ? [form('set')] : []),
    ...(mayValue && isNumber ? [form('offset'), form('scale'), form('drift'), step('interpolate')] : []),
    form('quality'),
    form('note'),
    ...(mayEdit ? [step('delete', { isDanger: true, isApart: true })] : []),
    step('revert', { isApart: true }),
  ];
  const onKeyDown = (event: KeyboardEvent) => {
    const isField = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement;
    if (!(event.ctrlKey || event.metaKey) || isField) return;
    const key = event.key.toLowerCase();
    const does = key === 'y' || (key === 'z' && event.shiftKey) ? redo : key === 'z' ? undo : undefined;
    if (!does) return;
    event.preventDefault();
    does();
  };
  const number = (n: number) => n.toLocaleString(language.value);
  const unit = typeof node.units === 'string' ? node.units : '';

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the desk hears the keys of all fields in it
    <div class="mend-desk" onKeyDown={onKeyDown}>
      {!mayEdit && <p class="mend-note">{text.qualityOnly}</p>}
      {mayEdit && !transform && <p class="mend-note">{text.equation}</p>}
      <div class="mend-bar">
        <span class="mend-steps">
          <Button
            icon="undo"
            aria-label={text.undo}
            title={text.undo}
            disabled={history.past.length === 0}
            onClick={undo}
          />
          <Button
            icon="redo"
            aria-label={text.redo}
            title={text.redo}
            disabled={history.future.length === 0}
            onClick={redo}
          />
        </span>
        {isNumber && (
          <fieldset class="switch" aria-label={text.pointer}>
            {(['drag', 'lasso', 'zoom'] as const).map((tool) => (
              <button key={tool} type="button" aria-pressed={pointer === tool} onClick={() => setPointer(tool)}>
                {text[tool]}
              </button>
            ))}
          </fieldset>
        )}
        <label class="tool">
          <span>{text.joining}</span>
          <select class="field" value={joining} onChange={(event) => setJoining(event.currentTarget.value as Joining)}>
            {(Object.keys(text.joinings) as Joining[]).map((key) => (
              <option key={key} value={key}>
                {text.joinings[key]}
              </option>
            ))}
          </select>
        </label>
        <Menu
          label={text.choose}
          class="is-quiet"
          items={[
            { label: text.all, onSelect: () => choose(everything(work)) },
            { label: text.nothing, onSelect: () => choose(nothing(work)) },
            { label: text.invert, onSelect: () => choose(inverted(work, mask)) },
            ...rules.map((of, i) => ({
              label: text.rules[of],
              isApart: i === 0,
              onSelect: () => setTool({ kind: 'rule', of }),
            })),
          ]}
          button={
            <>
              <Icon name="search" />
              <span>{text.choose}</span>
            </>
          }
        />
        <Menu
          label={text.change}
          class="is-quiet"
          items={actions}
          button={
            <>
              <Icon name="pencil" />
              <span>{text.change}</span>
            </>
          }
        />
        {mayValue && isNumber && (
          <Button
            icon="plus"
            aria-expanded={tool?.kind === 'add'}
            onClick={() => setTool(tool?.kind === 'add' ? undefined : { kind: 'add' })}
          >
            {text.add}
          </Button>
        )}
        <span class="mend-count" role="status">
          {text.chosen(number(chosen), number(work.times.length))}
        </span>
      </div>
      {tool?.kind === 'action' && (
        <ActionFields
          key={tool.of}
          of={tool.of}
          unit={unit}
          coding={coding}
          states={statesOf(node)}
          qualities={known}
          isReady={chosen > 0}
          onAct={act}
          onClose={() => setTool(undefined)}
        />
      )}
      {tool?.kind === 'rule' && (
        <RuleFields
          key={tool.of}
          of={tool.of}
          unit={unit}
          coding={coding}
          onFind={(rule) => {
            const hits = find(found(work, rule));
            setSaid(hits === 0 ? text.foundNone : '');
            if (hits > 0) setTool(undefined);
          }}
          onClose={() => setTool(undefined)}
        />
      )}
      {tool?.kind === 'add' && (
        <AddFields
          range={range}
          most={MOST_MENDED - work.times.length}
          onAdd={(rows) => {
            const next = added(work, rows);
            change((before) => did(before, next));
            setTool(undefined);
          }}
          onClose={() => setTool(undefined)}
        />
      )}
      <p class={said === '' ? 'unseen' : 'mend-note'} role="status">
        {said}
      </p>
      {isNumber && (
        <MendChart
          node={node}
          range={range}
          base={base}
          work={work}
          mask={mask}
          version={version.current}
          pointer={pointer}
          onRange={(startMs, endMs) => find(between(work, startMs, endMs))}
          onLasso={(corners) => {
            if (find(lassoed(work, corners)) === 0) setSaid(text.lassoNone);
          }}
          onPoint={(ms, withinMs) => find(nearest(work, ms, withinMs))}
        />
      )}
      <fieldset class="switch mend-show" aria-label={text.show}>
        {(['all', 'changed', 'chosen'] as const).map((view) => (
          <button key={view} type="button" aria-pressed={show === view} onClick={() => setShow(view)}>
            {text.shows[view]}
          </button>
        ))}
      </fieldset>
      <Grid
        base={base}
        work={work}
        mask={mask}
        places={places}
        qualities={known}
        valueText={valueText}
        isNumber={isNumber}
        onMask={choose}
        onKey={(key) => {
          if (key !== 'Delete' || !mayEdit || chosen === 0) return false;
          act({ kind: 'delete' });
          return true;
        }}
      />
      <div class="mend-save">
        <p>
          <strong>{text.changes(count)}</strong>
          {count > 0 && <span class="soft">{hasRoom ? text.keptHere : text.notKept}</span>}
        </p>
        <Button look="main" disabled={count === 0} onClick={() => count > 0 && setSaving(true)}>
          {text.save}
        </Button>
        {count > 0 && <Button onClick={discard}>{text.discard}</Button>}
      </div>
      {isSaving && (
        <SaveDialog
          node={node}
          range={range}
          base={base}
          work={work}
          transform={transform ?? { multiplier: 1, offset: 0 }}
          coding={coding}
          qualities={known}
          onSaved={saved}
          onClose={() => setSaving(false)}
        />
      )}
      {leave.target !== undefined && (
        <Dialog title={text.leave} onClose={leave.stay} closeText={text.stay}>
          <p>{text.leaveText(count)}</p>
          <p class="buttons">
            <Button look="main" autofocus onClick={leave.stay}>
              {text.stay}
            </Button>
            <Button
              onClick={() => {
                leave.allow();
                route(leave.target!);
              }}
            >
              {text.leaveKeep}
            </Button>
            <Button
              look="danger"
              onClick={() => {
                leave.allow();
                forget();
                unsaved.current = 0;
                route(leave.target!);
              }}
            >
              {text.leaveDiscard}
            </Button>
          </p>
        </Dialog>
      )}
    </div>
  );
}

function* placesOf(mask: Mask): Generator<number> {
  for (let i = 0; i < mask.length; i += 1) if (mask[i]) yield i;
}
