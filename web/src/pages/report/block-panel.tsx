import { useMemo, useState } from 'preact/hooks';
import { AREAS, type Area, type Block, type Cell, type Look, type Paper } from '../../data/reports.ts';
import { SettingsPanel } from '../../parts/settings-panel.tsx';
import { Button } from '../../ui/button.tsx';
import { type Field, FieldView, FormContext, type FormParts } from '../../ui/form/index.ts';
import { textAtField } from '../../words/error-text.ts';
import { ExpressionField } from './expression-field.tsx';
import { EXPRESSIONS, FIELDS_OF, hasLook, LOOK_FIRST, type ReportFields, reportWords, USUAL_LOOK } from './fields.ts';
import type { Refusal } from './use-report.ts';
import { say } from './words.ts';

type BlockPanelProps = {
  readonly block: Block;
  readonly name: string;
  readonly fields: ReportFields;
  readonly paper: Paper;
  /** Names under which expressions know the nodes of the report. */
  readonly links: readonly string[];
  readonly refusal: Refusal | undefined;
  /** The faults that the preview has found in it, by attribute. */
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
  const { block, name, fields, refusal, found, onChange } = props;
  const text = say();
  const change: Change = (changes, about) => {
    const all = Object.entries({ ...block, ...changes }).filter(([, value]) => value !== undefined);
    onChange(Object.fromEntries(all) as unknown as Block, about === '' ? '' : `${block._id} ${about}`);
  };
  const fieldOf = (all: readonly Field[], wanted: string) => all.find((field) => field.name === wanted);
  const words = reportWords();
  const parts: FormParts = {
    words,
    isReadOnly: false,
    isShown: () => true,
    document: block,
    base: block,
    change: () => {},
    special: () => undefined,
    show: (field) => <FieldView {...field} />,
    problemOf: (path) => (refusal?.path === path ? textAtField(refusal.message) : undefined),
  };
  const view = (wanted: string) => {
    const field = fieldOf(fields.block, wanted);
    if (!field) return null;
    const fieldProps = {
      field,
      path: wanted,
      value: (block[wanted as 'content'] ?? null) as unknown,
      onChange: (value: unknown) => change({ [wanted]: value ?? (wanted === 'content' ? '' : undefined) }, wanted),
    };
    return EXPRESSIONS.has(wanted) ? (
      <ExpressionField
        key={wanted}
        {...fieldProps}
        links={props.links}
        label={words.label(wanted)}
        found={found.get(wanted)}
      />
    ) : (
      <FieldView key={wanted} {...fieldProps} />
    );
  };
  return (
    <SettingsPanel
      id={block._id}
      label={text.settingsOf(name)}
      title={text.types[block.type]}
      closeText={text.closeSettings}
      problem={refusal && !fieldNames(block).includes(refusal.path ?? '') ? refusal.message : undefined}
      class="report-panel"
      onClose={props.onClose}
    >
      <FormContext.Provider value={parts}>
        <div class="editor dash-fields">
          {FIELDS_OF[block.type].map(view)}
          {block.type === 'IMAGE' && <p class="editor-hint">{text.sourceHint}</p>}
          {block.type === 'TABLE' && <TableFields {...props} change={change} />}
          {block.type === 'FRAME' && (
            <p>
              <Button icon="plus" onClick={props.onAddInside}>
                {text.addInside}
              </Button>
            </p>
          )}
          {hasLook(block.type) && <LookFields block={block} fields={fields.look} paper={props.paper} change={change} />}
        </div>
        <Places block={block} change={change} />
        {block.type !== 'PAGE_BREAK' && (
          <details class="report-more">
            <summary>{text.conditions}</summary>
            <div class="editor dash-fields">
              {view('printIf')}
              <p class="editor-hint">{text.printIfHint}</p>
              <ConditionFields block={block} paper={props.paper} links={props.links} found={found} change={change} />
              {view('keepTogether')}
              {view('link')}
            </div>
          </details>
        )}
      </FormContext.Provider>
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

/** An attribute that is undefined is taken away. */
type Change = (changes: { readonly [K in keyof Block]?: Block[K] | undefined }, about: string) => void;

const fieldNames = ({ type }: Block): readonly string[] => [...FIELDS_OF[type], 'printIf', 'link', 'keepTogether'];

type LookProps = {
  readonly block: Block;
  readonly fields: readonly Field[];
  readonly paper: Paper;
  readonly change: Change;
};

/** Draws the look: a style of the report, and what is else than in it. */
function LookFields({ block, fields, paper, change }: LookProps) {
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

type StyleChoiceProps = {
  readonly label: string;
  readonly value: string;
  readonly paper: Paper;
  readonly onChange: (id: string) => void;
};

function StyleChoice({ label, value, paper, onChange }: StyleChoiceProps) {
  const text = say();
  return (
    <label class="editor-field">
      <span>{label}</span>
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        <option value="">{paper.styles.length === 0 ? text.noStyles : text.noStyle}</option>
        {paper.styles.map(({ _id }) => (
          <option key={_id} value={_id}>
            {_id}
          </option>
        ))}
      </select>
    </label>
  );
}

type ConditionProps = Pick<BlockPanelProps, 'block' | 'paper' | 'links' | 'found'> & { readonly change: Change };

/** Another style while a condition holds. */
function ConditionFields({ block, paper, links, found, change }: ConditionProps) {
  const text = say();
  const { conditionalStyle: when } = block;
  const [first] = paper.styles;
  if (!first) return <p class="editor-hint">{text.conditionalNone}</p>;
  const field: Field = {
    name: 'condition',
    shape: { kind: 'text', isLong: true, choices: [] },
    hint: '',
    isRequired: false,
    isNullable: true,
    usual: undefined,
    example: undefined,
    maxLength: 1_000,
  };
  return (
    <>
      <ExpressionField
        field={field}
        path="conditionalStyle.condition"
        value={when?.condition ?? ''}
        onChange={(condition) =>
          change(
            {
              conditionalStyle:
                typeof condition === 'string' && condition !== ''
                  ? { condition, styleId: when?.styleId ?? first._id }
                  : undefined,
            },
            'condition',
          )
        }
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

/** Draws the place, in points. */
function Places({ block, change }: { readonly block: Block; readonly change: Change }) {
  const text = say();
  const all = [
    ['x', text.x],
    ['y', text.y],
    ['width', text.width],
    ['height', text.height],
  ] as const;
  return (
    <fieldset class="dash-places">
      <legend>{text.place}</legend>
      {all.map(([name, label]) => (
        <label key={name}>
          <span>{label}</span>
          <input
            type="number"
            min={0}
            max={4_000}
            step="any"
            value={block[name]}
            onChange={(event) => {
              const given = event.currentTarget.valueAsNumber;
              if (given >= 0 && given <= 4_000) change({ [name]: given }, 'place');
              else event.currentTarget.value = String(block[name]);
            }}
          />
        </label>
      ))}
      <label class="report-area">
        <span>{text.area}</span>
        <select value={block.area} onChange={(event) => change({ area: event.currentTarget.value as Area }, 'area')}>
          {AREAS.map((area) => (
            <option key={area} value={area}>
              {text.areas[area]}
            </option>
          ))}
        </select>
      </label>
    </fieldset>
  );
}

/** Columns and rows that a table has at most: docs/reference/limits.md. */
const MOST_COLUMNS = 50;
const MOST_ROWS = 200;
const empty: Cell = { content: '' };

type RowAt = 'headerRow' | 'footerRow' | number;

/** The cells of a table, and of the chosen one what else may be set. */
function TableFields({ block, paper, links, found, change }: BlockPanelProps & { readonly change: Change }) {
  const text = say();
  const columns = block.columns ?? [];
  const { headerRow = [], rows = [], footerRow = [] } = block;
  const [chosen, setChosen] = useState<{ readonly row: RowAt; readonly column: number }>();
  const rowOf = (row: RowAt): readonly Cell[] => (typeof row === 'number' ? (rows[row] ?? []) : (block[row] ?? []));
  const putRow = (row: RowAt, cells: readonly Cell[], about: string) =>
    change(
      typeof row === 'number' ? { rows: rows.map((other, i) => (i === row ? cells : other)) } : { [row]: cells },
      about,
    );
  const putCell = (row: RowAt, column: number, next: Cell) => {
    const cells = rowOf(row);
    const filled = Array.from({ length: Math.max(columns.length, cells.length) }, (_one, i) => cells[i] ?? empty);
    putRow(
      row,
      trimmed(
        filled.map((cell, i) => (i === column ? next : cell)),
        columns.length,
      ),
      `cell ${row} ${column}`,
    );
  };
  const cell = chosen && (rowOf(chosen.row)[chosen.column] ?? empty);
  const all: readonly RowAt[] = [
    ...(headerRow.length > 0 ? (['headerRow'] as const) : []),
    ...rows.keys(),
    ...(footerRow.length > 0 ? (['footerRow'] as const) : []),
  ];
  const nameOf = (row: RowAt) => (typeof row === 'number' ? text.row(row + 1) : text[row]);
  const blank = () => columns.map(() => empty);
  const foundAt =
    chosen &&
    found.get(`${typeof chosen.row === 'number' ? `rows[${chosen.row}]` : chosen.row}[${chosen.column}].content`);
  const field: Field = useMemo(
    () => ({
      name: 'content',
      shape: { kind: 'text', isLong: true, choices: [] },
      hint: '',
      isRequired: true,
      isNullable: false,
      usual: '',
      example: undefined,
      maxLength: 10_000,
    }),
    [],
  );
  return (
    <div class="report-table">
      <p class="report-table-acts">
        <label class="check">
          <input
            type="checkbox"
            checked={headerRow.length > 0}
            onChange={(event) => change({ headerRow: event.currentTarget.checked ? blank() : [] }, 'headerRow')}
          />
          <span>{text.headerRow}</span>
        </label>
        <label class="check">
          <input
            type="checkbox"
            checked={footerRow.length > 0}
            onChange={(event) => change({ footerRow: event.currentTarget.checked ? blank() : [] }, 'footerRow')}
          />
          <span>{text.footerRow}</span>
        </label>
      </p>
      <div class="report-cells">
        <table>
          <thead>
            <tr>
              <th scope="col">{text.columnWidth}</th>
              {columns.map(({ width = 100 }, column) => (
                <td key={column}>
                  <input
                    type="number"
                    min={0}
                    max={4_000}
                    aria-label={text.widthOf(column + 1)}
                    value={width}
                    onChange={(event) => {
                      const given = event.currentTarget.valueAsNumber;
                      if (given >= 0 && given <= 4_000)
                        change(
                          { columns: columns.map((other, i) => (i === column ? { width: given } : other)) },
                          'columns',
                        );
                    }}
                  />
                </td>
              ))}
            </tr>
          </thead>
          <tbody>
            {all.map((row) => (
              <tr key={row}>
                <th scope="row">
                  {nameOf(row)}
                  {typeof row === 'number' && (
                    <Button
                      look="bare"
                      icon="close"
                      aria-label={text.removeRow(row + 1)}
                      title={text.removeRow(row + 1)}
                      onClick={() => {
                        setChosen(undefined);
                        change({ rows: rows.filter((_one, i) => i !== row) }, '');
                      }}
                    />
                  )}
                </th>
                {columns.map((_column, column) => {
                  const cell = rowOf(row)[column];
                  return (
                    <td key={column}>
                      <input
                        dir="auto"
                        aria-label={text.cell(nameOf(row), column + 1)}
                        aria-current={(chosen?.row === row && chosen.column === column) || undefined}
                        value={cell?.content ?? ''}
                        onFocus={() => setChosen({ row, column })}
                        onInput={(event) =>
                          putCell(row, column, { ...(cell ?? empty), content: event.currentTarget.value })
                        }
                      />
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="report-table-acts">
        <Button
          icon="plus"
          disabled={rows.length >= MOST_ROWS}
          onClick={() => change({ rows: [...rows, blank()] }, '')}
        >
          {text.addRow}
        </Button>
        <Button
          icon="plus"
          disabled={columns.length >= MOST_COLUMNS}
          onClick={() => change({ columns: [...columns, { width: 100 }] }, '')}
        >
          {text.addColumn}
        </Button>
        <Button
          icon="minus"
          disabled={columns.length <= 1}
          onClick={() => {
            const short = (cells: readonly Cell[]) => cells.slice(0, columns.length - 1);
            setChosen(undefined);
            change(
              {
                columns: columns.slice(0, -1),
                headerRow: short(headerRow),
                rows: rows.map(short),
                footerRow: short(footerRow),
              },
              '',
            );
          }}
        >
          {text.removeColumn}
        </Button>
      </p>
      {chosen && cell && (
        <fieldset class="report-cell">
          <legend>{text.cell(nameOf(chosen.row), chosen.column + 1)}</legend>
          <ExpressionField
            key={`${chosen.row} ${chosen.column}`}
            field={field}
            path=""
            value={cell.content}
            onChange={(content) => putCell(chosen.row, chosen.column, { ...cell, content: String(content ?? '') })}
            links={links}
            label={text.cellText}
            found={foundAt}
          />
          <label class="editor-field">
            <span>{text.colspan}</span>
            <input
              type="number"
              min={1}
              max={MOST_COLUMNS}
              value={cell.colspan ?? 1}
              onChange={(event) => {
                const colspan = event.currentTarget.valueAsNumber;
                if (Number.isInteger(colspan) && colspan >= 1 && colspan <= MOST_COLUMNS)
                  putCell(chosen.row, chosen.column, { ...cell, colspan });
              }}
            />
          </label>
          {paper.styles.length > 0 && (
            <StyleChoice
              label={text.style}
              value={cell.styleId ?? ''}
              paper={paper}
              onChange={(styleId) => {
                const { styleId: _before, ...others } = cell;
                putCell(chosen.row, chosen.column, styleId === '' ? others : { ...others, styleId });
              }}
            />
          )}
        </fieldset>
      )}
    </div>
  );
}

/** Cells that a wide one has pushed out of the table are not kept. */
function trimmed(cells: readonly Cell[], columns: number): readonly Cell[] {
  let taken = 0;
  return cells.filter(({ colspan = 1 }) => {
    taken += colspan;
    return taken - colspan < columns;
  });
}
