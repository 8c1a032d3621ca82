import type { Block, Paper } from '../../../data/pages/reports.ts';
import { SettingsPanel } from '../../../parts/settings-panel.tsx';
import { Button } from '../../../ui/button.tsx';
import { FieldView } from '../../../ui/form/index.ts';
import { ExpressionField } from '../expression-field.tsx';
import { EXPRESSIONS, FIELDS_OF, hasLook, type ReportFields, reportWords } from '../fields.ts';
import { ReportForm } from '../report-form.tsx';
import type { Refusal } from '../use-report.ts';
import { say } from '../words.ts';
import type { Change } from './change.ts';
import { ConditionFields } from './condition-fields.tsx';
import { LookFields } from './look-fields.tsx';
import { Places } from './places.tsx';
import { TableFields } from './table-fields.tsx';

type BlockPanelProps = {
  readonly block: Block;
  readonly name: string;
  readonly fields: ReportFields;
  readonly paper: Paper;
  /** Names under which expressions know the nodes of the report. */
  readonly links: readonly string[];
  readonly refusal: Refusal | undefined;
  /** The preview has found these faults in it, by attribute. */
  readonly found: ReadonlyMap<string, string>;
  readonly onChange: (block: Block, about: string) => void;
  readonly onClose: () => void;
  readonly onDouble: () => void;
  readonly onRemove: () => void;
  /** A frame takes further blocks. */
  readonly onAddInside: () => void;
};

/** Shows what may be set of a block. */
export function BlockPanel(props: BlockPanelProps) {
  const { block, refusal, onChange } = props;
  const text = say();
  const change: Change = (changes, about) => {
    const all = Object.entries({ ...block, ...changes }).filter(([, value]) => value !== undefined);
    onChange(Object.fromEntries(all) as unknown as Block, about === '' ? '' : `${block._id} ${about}`);
  };
  return (
    <SettingsPanel
      id={block._id}
      label={text.settingsOf(props.name)}
      title={text.types[block.type]}
      closeText={text.closeSettings}
      problem={refusal && !fieldNames(block).includes(refusal.path ?? '') ? refusal.message : undefined}
      class="report-panel"
      onClose={props.onClose}
    >
      <ReportForm document={block} refusal={refusal}>
        <ContentFields {...props} change={change} />
        <Places block={block} change={change} />
        {block.type !== 'PAGE_BREAK' && <PrintFields {...props} change={change} />}
      </ReportForm>
      <div class="dash-panel-acts">
        <Button icon="copy" onClick={props.onDouble}>
          {text.double}
        </Button>
        <Button icon="trash" onClick={props.onRemove}>
          {text.remove}
        </Button>
      </div>
    </SettingsPanel>
  );
}

const fieldNames = ({ type }: Block): readonly string[] => [...FIELDS_OF[type], 'printIf', 'link', 'keepTogether'];

type RegionProps = Pick<BlockPanelProps, 'block' | 'fields' | 'paper' | 'links' | 'found'> & {
  readonly change: Change;
};

/** Draws what the block has in it, and how that looks. */
function ContentFields(props: RegionProps & Pick<BlockPanelProps, 'onAddInside'>) {
  const { block, change } = props;
  const text = say();
  return (
    <div class="editor dash-fields">
      {FIELDS_OF[block.type].map((name) => (
        <BlockField key={name} {...props} name={name} />
      ))}
      {block.type === 'IMAGE' && <p class="editor-hint">{text.sourceHint}</p>}
      {block.type === 'TABLE' && <TableFields {...props} />}
      {block.type === 'FRAME' && (
        <p>
          <Button icon="plus" onClick={props.onAddInside}>
            {text.addInside}
          </Button>
        </p>
      )}
      {hasLook(block.type) && (
        <LookFields block={block} fields={props.fields.look} paper={props.paper} change={change} />
      )}
    </div>
  );
}

/** Draws when and how the block is printed. */
function PrintFields(props: RegionProps) {
  const text = say();
  return (
    <details class="report-more">
      <summary>{text.conditions}</summary>
      <div class="editor dash-fields">
        <BlockField {...props} name="printIf" />
        <p class="editor-hint">{text.printIfHint}</p>
        <ConditionFields {...props} />
        <BlockField {...props} name="keepTogether" />
        <BlockField {...props} name="link" />
      </div>
    </details>
  );
}

/** Draws the field of an attribute of the block. */
function BlockField({ block, fields, links, found, change, name }: RegionProps & { readonly name: string }) {
  const field = fields.block.find((field) => field.name === name);
  if (!field) return null;
  const props = {
    field,
    path: name,
    value: (block[name as 'content'] ?? null) as unknown,
    onChange: (value: unknown) => change({ [name]: value ?? (name === 'content' ? '' : undefined) }, name),
  };
  return EXPRESSIONS.has(name) ? (
    <ExpressionField {...props} links={links} label={reportWords().label(name)} found={found.get(name)} />
  ) : (
    <FieldView {...props} />
  );
}
