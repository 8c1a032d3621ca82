import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from './button.tsx';

type DropProps = {
  readonly label: string;
  readonly choose: string;
  readonly onFiles: (files: readonly File[]) => unknown;
  /** These stand beside the button. */
  readonly children: ComponentChildren;
  readonly hint?: ComponentChildren;
  readonly class?: string;
  readonly isQuiet?: boolean;
  readonly isMany?: boolean;
};

/** Shows a room that files are dropped into; a button does the same, for keys and fingers. */
export function Drop({ label, choose, onFiles, children, hint, isQuiet = false, isMany = false, ...rest }: DropProps) {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  // A file that misses the room must not be opened by the browser in place of the page.
  useEffect(() => {
    const still = (event: DragEvent) => event.preventDefault();
    addEventListener('dragover', still);
    addEventListener('drop', still);
    return () => {
      removeEventListener('dragover', still);
      removeEventListener('drop', still);
    };
  }, []);
  return (
    <section
      class={`file-drop ${isOver ? 'is-over' : ''} ${rest.class ?? ''}`}
      aria-label={label}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        event.stopPropagation();
        setOver(false);
        void onFiles([...(event.dataTransfer?.files ?? [])]);
      }}
    >
      <p>{children}</p>
      <input
        ref={input}
        type="file"
        hidden
        multiple={isMany}
        onChange={(event) => {
          const files = [...(event.currentTarget.files ?? [])];
          void onFiles(files);
          // The same one again is a change too.
          event.currentTarget.value = '';
        }}
      />
      <Button icon="file" look={isQuiet ? 'quiet' : 'main'} onClick={() => input.current?.click()}>
        {choose}
      </Button>
      {hint !== undefined && <p class="hint">{hint}</p>}
    </section>
  );
}
