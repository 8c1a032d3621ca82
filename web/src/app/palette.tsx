import { signal } from '@preact/signals';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { nodeAddress } from '../data/addresses.ts';
import { className } from '../data/nodes/classes.ts';
import { iconOf } from '../data/nodes/node-icons.ts';
import { above, type Found, searchNodes } from '../data/nodes/search.ts';
import { readRecent, rememberNode } from '../data/tree/recent.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';
import { words } from '../words/index.ts';
import { actions } from './actions.ts';

export const isPaletteOpen = signal(false);

/** A search waits this long, so that nothing is asked for between the letters of a word. */
const AFTER_TYPING_MS = 120;
const MOST_FOUND = 20;

type Item = {
  readonly key: string;
  readonly icon: IconName;
  readonly label: string;
  readonly detail: string;
  readonly hint: string;
  readonly run: () => void;
};
type Search = { readonly q: string; readonly nodes: readonly Found[]; readonly hasFailed?: boolean };

/** Goes to any node and does any thing by a part of its name. */
export function Palette() {
  const { frame, ui } = words.value;
  const { route } = useLocation();
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const [search, setSearch] = useState<Search>({ q: '', nodes: [] });
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const q = text.trim();
  const close = () => {
    isPaletteOpen.value = false;
  };

  useEffect(() => {
    if (q === '') return;
    const stop = new AbortController();
    const timer = setTimeout(() => {
      searchNodes({ q, limit: MOST_FOUND }, stop.signal).then(
        ({ nodes }) => setSearch({ q, nodes }),
        () => {
          if (!stop.signal.aborted) setSearch({ q, nodes: [], hasFailed: true });
        },
      );
    }, AFTER_TYPING_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [q]);

  const nodeItem = (node: Found): Item => ({
    key: node._id,
    icon: iconOf(node._class),
    label: node.name,
    detail: above(node),
    hint: className(node._class),
    run: () => {
      rememberNode(node);
      route(nodeAddress(node._id));
    },
  });
  const folded = q.toLocaleLowerCase();
  const doing: readonly Item[] = actions(route)
    .filter(({ label }) => label.toLocaleLowerCase().includes(folded))
    .map(({ label, icon, hint = '', run }) => ({ key: label, icon, label, detail: '', hint, run }));
  // The findings for the letters before are shown until there is news.
  const nodes = (q === '' ? readRecent() : search.nodes).map(nodeItem);
  const groups = [
    { title: q === '' ? frame.palette.recent : frame.palette.nodes, items: nodes },
    { title: frame.palette.actions, items: doing },
  ].filter(({ items }) => items.length > 0);
  const items = groups.flatMap((group) => group.items);
  const chosen = Math.min(at, items.length - 1);
  const run = (item: Item | undefined) => {
    if (item === undefined) return;
    close();
    item.run();
  };
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && items.length > 0) setAt((chosen + step + items.length) % items.length);
    else if (event.key === 'Enter') run(items[chosen]);
    else return;
    event.preventDefault();
  };
  const isKnown = q === '' || search.q === q;
  return (
    <Dialog title={frame.palette.title} hidesTitle class="palette" onClose={close}>
      <div class="palette-field">
        <Icon name="search" />
        <input
          role="combobox"
          aria-label={frame.palette.title}
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-activedescendant={items.length > 0 ? `${id}-${chosen}` : undefined}
          aria-autocomplete="list"
          autocomplete="off"
          autofocus
          spellcheck={false}
          placeholder={frame.palette.hint}
          value={text}
          onInput={(event) => {
            setText(event.currentTarget.value);
            setAt(0);
          }}
          onKeyDown={onKeyDown}
        />
        <button type="button" class="button is-bare" onClick={close}>
          {ui.close}
        </button>
      </div>
      <div ref={list} id={`${id}-list`} role="listbox" aria-label={frame.palette.title} class="palette-list">
        {groups.map((group) => (
          // biome-ignore lint/a11y/useSemanticElements: a group within a list of options, not a set of fields
          <div key={group.title} role="group" aria-label={group.title}>
            <p class="palette-title" aria-hidden="true">
              {group.title}
            </p>
            {group.items.map((item) => {
              const index = items.indexOf(item);
              return (
                // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names the option
                // biome-ignore lint/a11y/useKeyWithClickEvents: keys go to the field
                <div
                  key={item.key}
                  id={`${id}-${index}`}
                  role="option"
                  class="palette-item"
                  aria-selected={index === chosen}
                  onMouseMove={() => setAt(index)}
                  onClick={() => run(item)}
                >
                  <Icon name={item.icon} />
                  <span class="palette-text">
                    <bdi class="found-name">{item.label}</bdi>
                    {item.detail !== '' && <bdi class="found-path">{item.detail}</bdi>}
                  </span>
                  {item.hint !== '' && <span class="menu-hint">{item.hint}</span>}
                </div>
              );
            })}
          </div>
        ))}
      </div>
      <p class="palette-foot" role="status">
        {search.hasFailed && isKnown && q !== ''
          ? frame.palette.failed
          : items.length === 0 && isKnown
            ? frame.palette.none(q)
            : isKnown && q !== ''
              ? frame.palette.count(items.length)
              : frame.palette.keys}
      </p>
    </Dialog>
  );
}
