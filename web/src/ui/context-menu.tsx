import { useLayoutEffect, useRef } from 'preact/hooks';
import { type MenuItem, MenuList, placeBeside } from './menu.tsx';

type ContextMenuProps = {
  readonly label: string;
  readonly items: readonly MenuItem[];
  readonly at: { readonly left: number; readonly right: number; readonly top: number; readonly bottom: number };
  readonly onClose: () => void;
};

/** Shows a menu at a place of the screen, open for as long as it is rendered. */
export function ContextMenu({ label, items, at, onClose }: ContextMenuProps) {
  const ref = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const room = ref.current!;
    const before = document.activeElement;
    const toggled = (event: Event) => {
      if ((event as ToggleEvent).newState === 'closed') onClose();
    };
    room.showPopover();
    placeBeside(room, at);
    room.querySelector<HTMLElement>('[role^=menuitem]')?.focus();
    room.addEventListener('toggle', toggled);
    return () => {
      room.removeEventListener('toggle', toggled);
      const isMine = room.contains(document.activeElement);
      room.hidePopover();
      if (isMine && before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <div ref={ref} popover="auto" class="popover">
      <MenuList label={label} items={items} close={() => ref.current?.hidePopover()} />
    </div>
  );
}
