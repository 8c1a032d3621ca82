import type { Block, Paper } from '../../../data/pages/reports.ts';
import { ExpressionField } from '../expression-field.tsx';
import { textField } from '../report-form.tsx';
import { say } from '../words.ts';
import type { Change } from './change.ts';
import { StyleChoice } from './style-choice.tsx';

type ConditionProps = {
  readonly block: Block;
  readonly paper: Paper;
  readonly links: readonly string[];
  readonly found: ReadonlyMap<string, string>;
  readonly change: Change;
};

const CONDITION = textField('condition', { isRequired: false, maxLength: 1_000 });

/** Draws another style while a condition holds. */
export function ConditionFields({ block, paper, links, found, change }: ConditionProps) {
  const text = say();
  const { conditionalStyle: when } = block;
  const [first] = paper.styles;
  if (!first) return <p class="editor-hint">{text.conditionalNone}</p>;
  const put = (condition: unknown) => {
    const isSet = typeof condition === 'string' && condition !== '';
    const conditionalStyle = isSet ? { condition, styleId: when?.styleId ?? first._id } : undefined;
    change({ conditionalStyle }, 'condition');
  };
  return (
    <>
      <ExpressionField
        field={CONDITION}
        path="conditionalStyle.condition"
        value={when?.condition ?? ''}
        onChange={put}
        links={links}
        label={text.condition}
        found={found.get('conditionalStyle.condition')}
      />
      {when && (
        <StyleChoice
          label={text.conditionStyle}
          value={when.styleId}
          paper={paper}
          onChange={(styleId) => styleId !== '' && change({ conditionalStyle: { ...when, styleId } }, 'conditionStyle')}
        />
      )}
    </>
  );
}
