import type { ComponentChildren } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { nodeDetails } from '../../data/nodes/node-details.ts';
import type { DraggedNode } from '../../data/nodes/node-drag.ts';
import { acceptsClass, type BoardTile, kindOf, type TileLink, within } from '../../data/pages/tiles.ts';
import { schemas } from '../../data/requests/schemas.ts';
import { useAsked } from '../../data/requests/use-asked.ts';
import { NodeSearch } from '../../parts/node-search.tsx';
import { SettingsPanel } from '../../parts/settings-panel.tsx';
import { formWords } from '../../parts/words-of.ts';
import { Button } from '../../ui/button.tsx';
import {
  type Field,
  FieldView,
  FormContext,
  type FormParts,
  fieldsOf,
  type JsonSchema,
  referred,
  type Schemas,
} from '../../ui/form/index.ts';
import { Busy, Problem } from '../../ui/notes.tsx';
import { loadAttributeWords } from '../../words/attributes.ts';
import { errorText } from '../../words/error-text.ts';
import { language, words } from '../../words/index.ts';
import { readable } from './readable.ts';
import { say } from './words.ts';

export type Refused = { readonly message: string; readonly path?: string };

type TilePanelProps = {
  readonly tile: BoardTile;
  readonly name: string;
  readonly problem: Refused | undefined;
  /** The tile itself stands here, where it is not seen beside. */
  readonly live?: ComponentChildren;
  readonly onChange: (tile: BoardTile, about: string) => void;
  readonly onClose: () => void;
  readonly onDouble: () => void;
  readonly onCopy: () => void;
  readonly onRemove: () => void;
};

/** Shows what may be set of a tile, by the schemas of the API; the tile in the grid shows it at once. */
export function TilePanel(props: TilePanelProps) {
  const { tile, name, problem, onChange } = props;
  const text = say();
  const known = useAsked(async () => (await Promise.all([schemas(), loadAttributeWords()]))[0], [language.value]);
  const fields = useMemo(() => known.value && tileFields(known.value as Schemas, tile), [known.value, tile.type]);
  const change = (changes: Partial<BoardTile>, what: string) =>
    onChange({ ...tile, ...changes }, `${tile._id} ${what}`);
  const kind = kindOf(tile.type);
  return (
    <SettingsPanel
      id={tile._id}
      label={text.settingsOf(name)}
      title={text.types[tile.type]}
      closeText={text.closeSettings}
      problem={problem && !isAtField(problem, kind.config) ? readable(problem, formWords().label) : undefined}
      onClose={props.onClose}
    >
      {props.live && <div class="dash-panel-live">{props.live}</div>}
      {kind.max > 0 && <Links tile={tile} onChange={(links) => change({ links }, 'links')} />}
      {known.error !== undefined ? (
        <Problem text={errorText(known.error)} again={known.again} againText={words.value.ui.again} />
      ) : fields ? (
        <Fields tile={tile} fields={fields} problem={problem} onChange={change} />
      ) : (
        <Busy text={words.value.ui.loading} />
      )}
      <Places tile={tile} onChange={(place) => change(place, 'place')} />
      <div class="dash-panel-acts">
        <Button icon="plus" onClick={props.onDouble}>
          {text.double}
        </Button>
        <Button icon="copy" onClick={props.onCopy}>
          {text.copyTo}
        </Button>
        <Button icon="trash" onClick={props.onRemove}>
          {text.remove}
        </Button>
      </div>
    </SettingsPanel>
  );
}

type TileFields = { readonly own: readonly Field[]; readonly config: readonly Field[] };

/** Returns the fields of every tile and those of its type: the alternative of `config` that has them and nothing else. */
function tileFields(all: Schemas, { type }: BoardTile): TileFields {
  const creation = Object.values(all).find(
    ({ properties }) =>
      /\.Dashboard$/.test(String(properties?._class?.enum?.[0] ?? '')) && !Object.hasOwn(properties!, '_id'),
  );
  const item = referred(creation?.properties?.tiles, all)?.items;
  const tile = item && referred(item, all);
  const wanted = kindOf(type).config;
  const options = alternatives(tile?.properties?.config, all);
  const config = options.find(
    ({ properties = {} }) =>
      Object.keys(properties).length === wanted.length && wanted.every((name) => Object.hasOwn(properties, name)),
  );
  const of = (schema: JsonSchema | undefined, names: readonly string[]) => {
    const found = schema ? fieldsOf(schema, all) : [];
    return names.flatMap((name) => found.find((field) => field.name === name) ?? []);
  };
  return { own: of(tile, OWN), config: of(config, wanted) };
}

const alternatives = (schema: JsonSchema | undefined, all: Schemas): readonly JsonSchema[] => {
  const whole = referred(schema, all);
  const inner = [...(whole?.anyOf ?? []), ...(whole?.oneOf ?? [])];
  return inner.length === 0 ? (whole ? [whole] : []) : inner.flatMap((part) => alternatives(part, all));
};

/** Styles have words of their own; they are no words of the API's that other forms know. */
function choiceOf(field: string, value: string | number): string {
  const styles: Readonly<Record<string, string>> = say().styles;
  return (field === 'style' ? styles[value] : undefined) ?? formWords().choice(field, value);
}

const OWN = ['label', 'style', 'showAlarms'];
const isAtField = ({ path }: Refused, config: readonly string[]): boolean =>
  path !== undefined && (OWN.includes(path) || config.some((name) => path === `config.${name}`));

type FieldsProps = {
  readonly tile: BoardTile;
  readonly fields: TileFields;
  readonly problem: Refused | undefined;
  readonly onChange: (changes: Partial<BoardTile>, what: string) => void;
};

function Fields({ tile, fields, problem, onChange }: FieldsProps) {
  const parts: FormParts = {
    words: { ...formWords(), choice: choiceOf },
    isReadOnly: false,
    isShown: () => true,
    document: tile,
    base: tile,
    change: () => {},
    special: () => undefined,
    show: (field) => <FieldView {...field} />,
    problemOf: (path) => (problem?.path === path ? readable(problem, formWords().label) : undefined),
  };
  const { config } = tile;
  const shown = fields.config.filter(
    ({ name }) =>
      (name !== 'percentile' || config.aggregate === 'PERCENTILE') &&
      (name !== 'interval' || (config.aggregate ?? 'NONE') !== 'NONE'),
  );
  return (
    <FormContext.Provider value={parts}>
      <div class="editor dash-fields">
        {shown.map((field) => (
          <FieldView
            key={field.name}
            field={field}
            path={`config.${field.name}`}
            value={config[field.name] ?? null}
            onChange={(value) => {
              const { [field.name]: _before, ...others } = config;
              const isUsual = value === null || value === undefined;
              onChange({ config: isUsual ? others : { ...others, [field.name]: value } }, field.name);
            }}
          />
        ))}
        {fields.own.map((field) => (
          <FieldView
            key={field.name}
            field={field}
            path={field.name}
            value={tile[field.name as 'label']}
            onChange={(value) => onChange({ [field.name]: value ?? usualOf(field) }, field.name)}
          />
        ))}
      </div>
    </FormContext.Provider>
  );
}

const usualOf = ({ usual }: Field): unknown => usual ?? '';

/** Lists the nodes that the tile shows: in their order, under names of their own where that is wished. */
function Links({
  tile,
  onChange,
}: {
  readonly tile: BoardTile;
  readonly onChange: (links: readonly TileLink[]) => void;
}) {
  const text = say();
  const { links, type } = tile;
  const { max, search } = kindOf(type);
  const details = useMemo(() => nodeDetails(), []);
  useEffect(() => details.release, [details]);
  void details.version.value;
  useEffect(() => details.want(links.map(({ nodeId }) => nodeId)), [links]);
  const put = (found: DraggedNode) => {
    const link = { nodeId: found._id, name: found.name };
    if (links.some(({ nodeId }) => nodeId === found._id)) return;
    onChange(max === 1 ? [link] : [...links, link].slice(0, max));
  };
  return (
    <fieldset class="dash-links">
      <legend>{text.links}</legend>
      <ol>
        {links.map((link, i) => {
          const node = details.of(link.nodeId);
          const name = node?.name ?? link.name ?? '…';
          return (
            <li key={link.nodeId}>
              <input
                dir="auto"
                aria-label={text.linkName(name)}
                maxLength={120}
                value={link.name ?? name}
                onInput={(event) => {
                  const given = event.currentTarget.value;
                  onChange(links.map((link, n) => (n === i ? { ...link, name: given } : link)));
                }}
              />
              {i > 0 && (
                <Button
                  look="bare"
                  icon="up"
                  aria-label={text.linkUp(name)}
                  title={text.linkUp(name)}
                  onClick={() =>
                    onChange(links.map((other, n) => (n === i ? links[i - 1]! : n === i - 1 ? link : other)))
                  }
                />
              )}
              <Button
                look="bare"
                icon="close"
                aria-label={text.linkRemove(name)}
                title={text.linkRemove(name)}
                onClick={() => onChange(links.filter((_one, n) => n !== i))}
              />
            </li>
          );
        })}
      </ol>
      {links.length < Math.max(max, 2) && (
        <NodeSearch
          label={text.linkSearch}
          hint={text.linkSearch}
          {...(search !== '' && { class: search })}
          accepts={({ _class }) => acceptsClass(type, _class)}
          onChoose={put}
        />
      )}
      <p class="soft">{text.linksMost(max)}</p>
    </fieldset>
  );
}

type Place = Pick<BoardTile, 'x' | 'y' | 'w' | 'h'>;

/** Shows the place in numbers: for a person without a mouse, and on a phone, where the grid is one column. */
function Places({ tile, onChange }: { readonly tile: BoardTile; readonly onChange: (place: Place) => void }) {
  const text = say();
  const { x, y, w, h } = tile;
  const all: readonly { readonly label: string; readonly value: number; readonly set: (n: number) => Place }[] = [
    { label: text.column, value: x + 1, set: (n) => ({ x: n - 1, y, w, h }) },
    { label: text.row, value: y + 1, set: (n) => ({ x, y: n - 1, w, h }) },
    { label: text.width, value: w, set: (n) => ({ x, y, w: n, h }) },
    { label: text.height, value: h, set: (n) => ({ x, y, w, h: n }) },
  ];
  return (
    <fieldset class="dash-places">
      <legend>{text.place}</legend>
      {all.map(({ label, value, set }) => (
        <label key={label}>
          <span>{label}</span>
          <input
            type="number"
            min={1}
            value={value}
            onChange={(event) => {
              const given = event.currentTarget.valueAsNumber;
              if (Number.isInteger(given)) onChange(within(set(given)));
            }}
          />
        </label>
      ))}
    </fieldset>
  );
}
