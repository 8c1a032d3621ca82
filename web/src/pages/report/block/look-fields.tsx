import type { Block, Look, Paper } from '../../../data/pages/reports.ts';
import { type Field, FieldView } from '../../../ui/form/index.ts';
import { LOOK_FIRST, USUAL_LOOK } from '../fields.ts';
import { say } from '../words.ts';
import type { Change } from './change.ts';
import { StyleChoice } from './style-choice.tsx';

type LookProps = {
  readonly block: Block;
  readonly fields: readonly Field[];
  readonly paper: Paper;
  readonly change: Change;
};

/** Draws the look: a style of the report, and what is else than in it. */
export function LookFields({ block, fields, paper, change }: LookProps) {
  const text = say();
  const look: Look = block.style ?? {};
  const named = paper.styles.find(({ _id }) => _id === block.styleId);
  const view = (field: Field) => (
    <FieldView
      key={field.name}
      field={field}
      path={`style.${field.name}`}
      value={look[field.name] ?? named?.[field.name] ?? USUAL_LOOK[field.name] ?? null}
      onChange={(value) => {
        const { [field.name]: _before, ...others } = look;
        const isUsual = value === null || value === undefined || value === '';
        change({ style: isUsual ? others : { ...others, [field.name]: value } }, field.name);
      }}
    />
  );
  const first = LOOK_FIRST.flatMap((name) => fields.find((field) => field.name === name) ?? []);
  return (
    <>
      {first.map(view)}
      <details class="report-more">
        <summary>{text.moreLook}</summary>
        <StyleChoice
          label={text.style}
          value={block.styleId ?? ''}
          paper={paper}
          onChange={(styleId) => change({ styleId: styleId === '' ? undefined : styleId }, 'styleId')}
        />
        {fields.filter(({ name }) => !LOOK_FIRST.includes(name)).map(view)}
      </details>
    </>
  );
}
