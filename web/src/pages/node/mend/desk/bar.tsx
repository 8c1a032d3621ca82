import { Button } from '../../../../ui/button.tsx';
import { Icon } from '../../../../ui/icon.tsx';
import { Menu, type MenuItem } from '../../../../ui/menu.tsx';
import { Switch } from '../../../../ui/switch.tsx';
import { language } from '../../../../words/index.ts';
import type { Pointer } from '../chart.tsx';
import { everything, inverted, type Joining, nothing, type Rule } from '../selections.ts';
import type { ActionForm } from '../tools/tool.ts';
import { say } from '../words.ts';
import type { DeskState } from './use-desk.ts';

const RULES: readonly Rule['kind'][] = ['above', 'below', 'rate', 'spike', 'gap', 'persistence'];
/** Texts and times have these, since they have no size. */
const RULES_OF_TEXTS: readonly Rule['kind'][] = ['is', 'gap', 'persistence'];

const POINTERS = ['drag', 'lasso', 'zoom'] as const satisfies readonly Pointer[];

type BarProps = {
  readonly desk: DeskState;
  readonly pointer: Pointer;
  readonly onPointer: (pointer: Pointer) => void;
};

/** Draws what takes steps back, chooses records and changes them. */
export function Bar({ desk, pointer, onPointer }: BarProps) {
  const text = say();
  const { tool, setTool } = desk;
  const number = (n: number) => n.toLocaleString(language.value);
  return (
    <div class="mend-bar">
      <span class="mend-steps">
        <Button icon="undo" aria-label={text.undo} title={text.undo} disabled={!desk.canUndo} onClick={desk.undo} />
        <Button icon="redo" aria-label={text.redo} title={text.redo} disabled={!desk.canRedo} onClick={desk.redo} />
      </span>
      {desk.isNumber && (
        <Switch
          label={text.pointer}
          value={pointer}
          options={POINTERS.map((tool) => [tool, text[tool]])}
          onChange={onPointer}
        />
      )}
      <label class="tool">
        <span>{text.joining}</span>
        <select
          class="field"
          value={desk.joining}
          onChange={(event) => desk.setJoining(event.currentTarget.value as Joining)}
        >
          {(Object.keys(text.joinings) as Joining[]).map((key) => (
            <option key={key} value={key}>
              {text.joinings[key]}
            </option>
          ))}
        </select>
      </label>
      <ChooseMenu desk={desk} />
      <ChangeMenu desk={desk} />
      {desk.mayValue && desk.isNumber && (
        <Button
          icon="plus"
          aria-expanded={tool?.kind === 'add'}
          onClick={() => setTool(tool?.kind === 'add' ? undefined : { kind: 'add' })}
        >
          {text.add}
        </Button>
      )}
      <span class="mend-count" role="status">
        {text.chosen(number(desk.chosen), number(desk.work.times.length))}
      </span>
    </div>
  );
}

function ChooseMenu({ desk }: { readonly desk: DeskState }) {
  const text = say();
  const { work, mask, choose } = desk;
  const rules = desk.isNumber ? RULES : RULES_OF_TEXTS;
  return (
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
          onSelect: () => desk.setTool({ kind: 'rule', of }),
        })),
      ]}
      button={
        <>
          <Icon name="search" />
          <span>{text.choose}</span>
        </>
      }
    />
  );
}

function ChangeMenu({ desk }: { readonly desk: DeskState }) {
  const text = say();
  const form = (of: ActionForm): MenuItem => ({
    label: text.actions[of],
    onSelect: () => desk.setTool({ kind: 'action', of }),
  });
  const step = (kind: 'interpolate' | 'delete' | 'revert', more: Partial<MenuItem> = {}): MenuItem => ({
    label: text.actions[kind],
    onSelect: () => desk.act({ kind }),
    ...more,
  });
  return (
    <Menu
      label={text.change}
      class="is-quiet"
      items={[
        ...(desk.mayValue ? [form('set')] : []),
        ...(desk.mayValue && desk.isNumber ? [form('offset'), form('scale'), form('drift'), step('interpolate')] : []),
        form('quality'),
        form('note'),
        ...(desk.mayEdit ? [step('delete', { isDanger: true, isApart: true })] : []),
        step('revert', { isApart: true }),
      ]}
      button={
        <>
          <Icon name="pencil" />
          <span>{text.change}</span>
        </>
      }
    />
  );
}
