import { useId, useState } from 'preact/hooks';
import { className } from '../../data/nodes/classes.ts';
import { iconOf } from '../../data/nodes/node-icons.ts';
import { above, searchNodes } from '../../data/nodes/search.ts';
import { useAsked } from '../../data/requests/use-asked.ts';
import { isContainer } from '../../data/tree/containment.ts';
import { Icon } from '../../ui/icon.tsx';
import { words } from '../../words/index.ts';

/** Others may lie in this node. */
export type Place = { readonly _id: string; readonly _class: string; readonly name: string };

type PlacePickerProps = {
  readonly chosen: Place | undefined;
  /** Tells which classes may be chosen. */
  readonly isFit: (name: string) => boolean;
  readonly onChoose: (place: Place) => void;
};

/** Finds a place for a node, found by the server's search: never a list of all. */
export function PlacePicker({ chosen, isFit, onChoose }: PlacePickerProps) {
  const { tree, frame } = words.value;
  const [text, setText] = useState('');
  const hint = useId();
  const q = text.trim();
  const { value, error } = useAsked(
    async (signal) => (q === '' ? { nodes: [] } : searchNodes({ q, limit: 50 }, signal)),
    [q],
  );
  const found = (value?.nodes ?? []).filter(({ _class }) => isContainer(_class) && isFit(_class)).slice(0, 8);
  return (
    <div class="picker">
      <label>
        <span>{tree.where}</span>
        <input
          type="search"
          autocomplete="off"
          value={text}
          aria-describedby={hint}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <p class="hint" id={hint}>
        {tree.whereHint}
      </p>
      {error !== undefined && <p class="problem">{frame.palette.failed}</p>}
      {chosen && (
        <p class="picked">
          <Icon name={iconOf(chosen._class)} />
          <bdi>{chosen.name}</bdi>
        </p>
      )}
      {q !== '' && (
        <ul class="found">
          {found.map((node) => (
            <li key={node._id}>
              <button type="button" aria-pressed={node._id === chosen?._id} onClick={() => onChoose(node)}>
                <Icon name={iconOf(node._class)} />
                <span>
                  <bdi class="found-name">{node.name}</bdi>
                  <bdi class="found-path">{above(node)}</bdi>
                </span>
                <span class="menu-hint">{className(node._class)}</span>
              </button>
            </li>
          ))}
          {value !== undefined && found.length === 0 && <li class="none">{frame.palette.none(q)}</li>}
        </ul>
      )}
    </div>
  );
}
