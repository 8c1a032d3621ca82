import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { className } from '../data/nodes/classes.ts';
import { type Found, searchNodes } from '../data/nodes/search.ts';
import { words } from '../words/index.ts';
import { placeOf } from './alarm-names.ts';

const REST_MS = 200;
const MOST = 20;

type NodeSearchProps = {
  readonly label: string;
  readonly hint: string;
  /** The classes have this word, such as `Point`. */
  readonly class?: string;
  readonly accepts?: (found: Found) => boolean;
  readonly onChoose: (found: Found) => void;
  readonly isDisabled?: boolean;
  /** True where there is a search and nothing else. */
  readonly isFocused?: boolean;
  /** The search finds only what lies in it. */
  readonly workspaceId?: string;
};

/** All pickers have this search box: the server's search, a few nodes at a time, and never a list of all. */
export function NodeSearch(props: NodeSearchProps) {
  const { label, hint, accepts = () => true, onChoose, isDisabled = false, workspaceId } = props;
  const id = useId();
  const room = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const [found, setFound] = useState<readonly Found[]>();
  const [hasFailed, setFailed] = useState(false);
  const [at, setAt] = useState(0);
  const { node } = words.value;

  useLayoutEffect(() => {
    if (!props.isFocused) return;
    // A dialog that opens around the field gives the focus to what asks for it.
    field.current!.autofocus = true;
    field.current!.focus();
  }, []);
  useEffect(() => {
    if (text.trim() === '') return setFound(undefined);
    const stop = new AbortController();
    const timer = setTimeout(() => {
      searchNodes(
        { q: text, limit: MOST, ...(props.class && { class: props.class }), ...(workspaceId && { workspaceId }) },
        stop.signal,
      ).then(
        ({ nodes }) => {
          setFound(nodes.filter(accepts));
          setFailed(false);
          setAt(0);
        },
        () => {
          if (!stop.signal.aborted) setFailed(true);
        },
      );
    }, REST_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [text, props.class, workspaceId]);

  const choose = (node: Found | undefined) => {
    if (!node) return;
    setText('');
    onChoose(node);
  };
  const isOpen = found !== undefined || hasFailed;
  return (
    <div
      ref={room}
      class="node-search"
      onFocusOut={(event) => {
        if (!room.current?.contains(event.relatedTarget as Node | null)) setText('');
      }}
    >
      <input
        ref={field}
        type="text"
        role="combobox"
        class="field"
        disabled={isDisabled}
        value={text}
        placeholder={hint}
        aria-label={label}
        aria-expanded={isOpen}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={found?.[at] ? `${id}-${at}` : undefined}
        autocomplete="off"
        spellcheck={false}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && text !== '') {
            event.stopPropagation();
            setText('');
          } else if (event.key === 'Enter' && isOpen) choose(found?.[at]);
          else if (event.key === 'ArrowDown') setAt((n) => Math.min(n + 1, (found?.length ?? 1) - 1));
          else if (event.key === 'ArrowUp') setAt((n) => Math.max(n - 1, 0));
          else return;
          event.preventDefault();
        }}
      />
      <div
        id={`${id}-list`}
        role="listbox"
        aria-label={label}
        class={(found?.length ?? 0) > 0 ? 'node-found' : 'unseen'}
      >
        {found?.map((node, i) => (
          <div
            key={node._id}
            id={`${id}-${i}`}
            role="option"
            tabIndex={-1}
            aria-selected={i === at}
            class="node-found-one"
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => choose(node)}
            onKeyDown={() => {}}
          >
            <bdi>{node.name}</bdi>
            <span class="node-found-path" dir="auto">
              {[className(node._class), placeOf(node).place].filter(Boolean).join(' · ')}
            </span>
          </div>
        ))}
      </div>
      {(found?.length === 0 || hasFailed) && (
        <p class="node-found node-found-none" role="status">
          {hasFailed ? node.searchFailed : node.searchNone}
        </p>
      )}
    </div>
  );
}
