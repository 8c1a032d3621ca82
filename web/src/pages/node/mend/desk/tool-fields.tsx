import { MOST_MENDED } from '../../../../data/records/mend.ts';
import { added } from '../actions.ts';
import { found } from '../selections.ts';
import { ActionFields } from '../tools/action-fields.tsx';
import { AddFields } from '../tools/add-fields.tsx';
import { RuleFields } from '../tools/rule-fields.tsx';
import { say } from '../words.ts';
import { statesOf, unitOf } from './node-values.ts';
import type { DeskState } from './use-desk.ts';

/** Draws the form that is open. */
export function ToolFields({ desk }: { readonly desk: DeskState }) {
  const { tool, node, work } = desk;
  const text = say();
  const close = () => desk.setTool(undefined);
  switch (tool?.kind) {
    case 'action':
      return (
        <ActionFields
          key={tool.of}
          of={tool.of}
          unit={unitOf(node)}
          coding={desk.coding}
          states={statesOf(node)}
          qualities={desk.qualities}
          isReady={desk.chosen > 0}
          onAct={desk.act}
          onClose={close}
        />
      );
    case 'rule':
      return (
        <RuleFields
          key={tool.of}
          of={tool.of}
          unit={unitOf(node)}
          coding={desk.coding}
          onFind={(rule) => {
            const hits = desk.find(found(work, rule));
            desk.setSaid(hits === 0 ? text.foundNone : '');
            if (hits > 0) close();
          }}
          onClose={close}
        />
      );
    case 'add':
      return (
        <AddFields
          range={desk.range}
          most={MOST_MENDED - work.times.length}
          onAdd={(rows) => {
            desk.take(added(work, rows));
            close();
          }}
          onClose={close}
        />
      );
    default:
      return null;
  }
}
