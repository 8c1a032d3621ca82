import { useEffect, useState } from 'preact/hooks';
import type { Node } from '../../../data/nodes/nodes.ts';
import type { Asked } from '../../../data/requests/use-asked.ts';
import { times } from '../../../data/times.ts';
import { FieldProblem, type FieldProps, useForm } from '../../../ui/form/index.ts';
import { entriesOf, type FormEntry, type FormRow, isTable, MOST, withCoefficients } from './curve.ts';
import { CurveChart } from './curve-chart.tsx';
import { EffectView, type InputRecord } from './effect.tsx';
import { CoefficientsField, kindOf, RowsField, StartField } from './entry-fields.tsx';
import { say } from './words.ts';

type RatingsFieldProps = FieldProps & {
  readonly node: Node;
  readonly records: Asked<readonly InputRecord[]>;
  readonly inputUnits: string;
};

/** Shows the ratings of a node by their dates: each as a curve and as a table, and what all of them make of the last records. */
export function RatingsField({ node, records, inputUnits, path, value, onChange }: RatingsFieldProps) {
  const texts = say();
  const { isReadOnly, problemOf, base } = useForm();
  const entries = entriesOf(value);
  const [chosen, setChosen] = useState(() => Math.max(entries.length - 1, 0));
  const [active, setActive] = useState<number>();
  const at = Math.min(chosen, Math.max(entries.length - 1, 0));
  const entry = entries[at];
  const put = (next: readonly FormEntry[]) => onChange(next);
  const change = (changed: FormEntry) => put(entries.map((entry, i) => (i === at ? changed : entry)));
  const setRows = (table: readonly FormRow[]) => change({ startTime: entry!.startTime, table });
  const choose = (index: number) => {
    setChosen(index);
    setActive(undefined);
  };
  const add = (more: FormEntry) => {
    put([...entries, more]);
    choose(entries.length);
  };
  const wrong = entries.findIndex((entry, i) => hasProblem(entry, `${path}[${i}]`, problemOf));
  // A refusal of the server is brought to where it is seen.
  useEffect(() => {
    if (wrong >= 0) choose(wrong);
  }, [wrong]);
  const entryPath = `${path}[${at}]`;
  return (
    <div class="rating-desk">
      <div class="rating-list">
        <fieldset class="rating-entries" aria-label={texts.entries}>
          {entries.map((entry, i) => (
            <button
              key={i}
              type="button"
              class="button is-quiet rating-entry"
              aria-pressed={i === at}
              onClick={() => choose(i)}
            >
              <strong>{titleOf(entry)}</strong>
              <span>{kindOf(entry)}</span>
            </button>
          ))}
        </fieldset>
        {entries.length === 0 && <p class="soft">{texts.none}</p>}
        {!isReadOnly && (
          <div class="editor-buttons">
            <button
              type="button"
              class="button is-quiet"
              disabled={entries.length >= MOST.entries}
              onClick={() =>
                add({
                  startTime: startOf(entries),
                  table: [
                    [0, 0],
                    [1, 1],
                  ],
                })
              }
            >
              {texts.addTable}
            </button>
            <button
              type="button"
              class="button is-quiet"
              disabled={entries.length >= MOST.entries}
              onClick={() => add(withCoefficients({ startTime: startOf(entries) }, [0, 1]))}
            >
              {texts.addPolynomial}
            </button>
          </div>
        )}
        <FieldProblem path={path} />
      </div>
      {entry && (
        <section class="rating-one" aria-label={titleOf(entry)}>
          <StartField entry={entry} path={entryPath} onChange={change} />
          <FieldProblem path={entryPath} />
          <div class="rating-both">
            <CurveChart
              key={at}
              entry={entry}
              reach={reachOf(records.value)}
              units={{ input: inBrackets(inputUnits), result: inBrackets(String(node.units ?? '')) }}
              isReadOnly={isReadOnly}
              active={active}
              onActive={setActive}
              onRows={setRows}
            />
            {isTable(entry) ? (
              <RowsField
                rows={entry.table!}
                path={`${entryPath}.table`}
                active={active}
                onActive={setActive}
                onRows={setRows}
              />
            ) : (
              <CoefficientsField entry={entry} path={entryPath} onChange={change} />
            )}
          </div>
          {!isReadOnly && (
            <div class="editor-buttons">
              <button
                type="button"
                class="button is-quiet"
                onClick={() => add({ ...entry, startTime: new Date().toISOString() })}
              >
                {texts.copy}
              </button>
              <button type="button" class="button is-quiet" onClick={() => put(entries.filter((_, i) => i !== at))}>
                {texts.remove}
              </button>
            </div>
          )}
        </section>
      )}
      <section class="rating-preview" aria-label={texts.effect}>
        <h3>{texts.effect}</h3>
        <EffectView records={records} saved={entriesOf(base.ratings)} typed={entries} />
      </section>
    </div>
  );
}

const inBrackets = (units: string): string => (units === '' ? '' : `(${units})`);

function titleOf({ startTime }: FormEntry): string {
  const ms = Date.parse(startTime);
  return Number.isFinite(ms) ? say().from(times().whole(ms)) : say().noTime;
}

/** The first one is valid for all that there is; another one from now on. */
const startOf = (entries: readonly FormEntry[]): string =>
  entries.length === 0 ? '1970-01-01T00:00:00.000Z' : new Date().toISOString();

function reachOf(records: readonly InputRecord[] | undefined): readonly [number, number] | undefined {
  if (!records || records.length < 2) return undefined;
  const values = records.map(({ value }) => value);
  return [Math.min(...values), Math.max(...values)];
}

function hasProblem(entry: FormEntry, path: string, problemOf: (path: string) => string | undefined): boolean {
  const rows = (entry.table ?? []).flatMap((_, i) => [
    `${path}.table[${i}]`,
    `${path}.table[${i}][0]`,
    `${path}.table[${i}][1]`,
  ]);
  const cells = Object.keys(entry.coefficients ?? {}).map((letter) => `${path}.coefficients.${letter}`);
  return [path, `${path}.startTime`, `${path}.table`, `${path}.coefficients`, ...rows, ...cells].some(
    (part) => problemOf(part) !== undefined,
  );
}
