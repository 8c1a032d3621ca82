import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Button } from '../ui/button.tsx';

type SettingsPanelProps = {
  /** Another thing takes the focus anew. */
  readonly id: string;
  readonly label: string;
  readonly title: string;
  readonly closeText: string;
  /** This refusal belongs to no field of the panel; absent: there is none. */
  readonly problem?: string | undefined;
  readonly class?: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
};

/** Shows what may be set of a part of a page, beside the page; Escape closes it. */
export function SettingsPanel(props: SettingsPanelProps) {
  const { id, label, title, closeText, problem, class: more = '', onClose, children } = props;
  const room = useRef<HTMLElement>(null);
  // The focus comes before the next key, which is meant for the panel.
  useLayoutEffect(() => room.current?.focus({ preventScroll: true }), [id]);
  return (
    <section
      ref={room}
      class={`dash-panel ${more}`}
      aria-label={label}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        event.stopPropagation();
        onClose();
      }}
    >
      <header class="dash-panel-head">
        <h2>{title}</h2>
        <Button look="bare" icon="close" aria-label={closeText} title={closeText} onClick={onClose} />
      </header>
      {problem !== undefined && (
        <p class="editor-problem" role="alert">
          {problem}
        </p>
      )}
      {children}
    </section>
  );
}
