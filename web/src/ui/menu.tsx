import type { ComponentChildren } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Icon, type IconName } from './icon.tsx';

export type MenuItem = {
  readonly label: string;
  readonly icon?: IconName;
  readonly href?: string;
  readonly onSelect?: () => void;
  readonly isChosen?: boolean;
  readonly isDanger?: boolean;
  readonly hint?: string;
  readonly isApart?: boolean;
};

type PopoverProps = {
  readonly label: string;
  readonly button: ComponentChildren;
  readonly class?: string;
  readonly children: (close: () => void) => ComponentChildren;
  readonly role?: 'menu' | 'dialog';
  readonly onOpen?: () => void;
};

/** Shows a button, and beside it what it opens; a click elsewhere or Escape closes it. */
export function Popover({ label, button, class: more = '', children, role = 'dialog', onOpen }: PopoverProps) {
  const id = useId();
  const opener = useRef<HTMLButtonElement>(null);
  const room = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  const close = () => room.current?.hidePopover();
  useEffect(() => {
    const element = room.current!;
    const toggled = (event: Event) => {
      const opened = (event as ToggleEvent).newState === 'open';
      setOpen(opened);
      if (opened) onOpen?.();
      else if (element.contains(document.activeElement)) opener.current?.focus();
    };
    element.addEventListener('toggle', toggled);
    return () => element.removeEventListener('toggle', toggled);
  }, [onOpen]);
  useLayoutEffect(() => {
    if (!isOpen) return;
    placeBeside(room.current!, opener.current!.getBoundingClientRect());
    room.current!.querySelector<HTMLElement>('[role=menuitem], [role=menuitemradio], a, button, input')?.focus();
  }, [isOpen]);
  return (
    <>
      <button
        ref={opener}
        type="button"
        class={`button is-bare ${more}`}
        aria-label={label}
        title={label}
        aria-haspopup={role}
        aria-expanded={isOpen}
        popovertarget={id}
      >
        {button}
      </button>
      <div ref={room} id={id} popover="auto" class="popover" {...(role === 'dialog' && { role, 'aria-label': label })}>
        {isOpen && children(close)}
      </div>
    </>
  );
}

const EDGE = 8;

/** Finds room below a place, otherwise above it, and within the window. */
export function placeBeside(room: HTMLElement, at: { left: number; right: number; top: number; bottom: number }): void {
  const { offsetWidth: width, offsetHeight: height } = room;
  const left = at.left + width > innerWidth - EDGE ? at.right - width : at.left;
  const top = at.bottom + height > innerHeight - EDGE && at.top > height + EDGE ? at.top - height - 4 : at.bottom + 4;
  room.style.left = `${Math.max(EDGE, Math.min(left, innerWidth - width - EDGE))}px`;
  room.style.top = `${Math.max(EDGE, Math.min(top, innerHeight - height - EDGE))}px`;
}

/** A menu behind a button. */
export function Menu({
  items,
  ...rest
}: Omit<PopoverProps, 'children' | 'role'> & { readonly items: readonly MenuItem[] }) {
  return (
    <Popover {...rest} role="menu">
      {(close) => <MenuList label={rest.label} items={items} close={close} />}
    </Popover>
  );
}

/** Shows the items of a menu: arrows, Home, End and first letters move in it. */
export function MenuList({
  label,
  items,
  close,
}: {
  readonly label: string;
  readonly items: readonly MenuItem[];
  readonly close: () => void;
}) {
  const ref = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent) => {
    const all = [...ref.current!.querySelectorAll<HTMLElement>('[role^=menuitem]')];
    const at = all.indexOf(document.activeElement as HTMLElement);
    const to = targetOf(event.key, at, all);
    if (event.key === 'Tab') close();
    if (to === undefined) return;
    event.preventDefault();
    to.focus();
  };
  return (
    <div ref={ref} role="menu" aria-label={label} class="menu" onKeyDown={move}>
      {items.map((item) => (
        <Item key={item.label} item={item} close={close} />
      ))}
    </div>
  );
}

function targetOf(key: string, at: number, all: readonly HTMLElement[]): HTMLElement | undefined {
  const { length } = all;
  if (key === 'ArrowDown') return all[(at + 1) % length];
  if (key === 'ArrowUp') return all[(at - 1 + length) % length];
  if (key === 'Home') return all[0];
  if (key === 'End') return all.at(-1);
  if (key.length !== 1 || key === ' ') return undefined;
  const from = [...all.slice(at + 1), ...all.slice(0, at + 1)];
  return from.find((item) => item.textContent.trim().toLowerCase().startsWith(key.toLowerCase()));
}

function Item({ item, close }: { readonly item: MenuItem; readonly close: () => void }) {
  const { label, icon, href, onSelect, isChosen, isDanger, hint, isApart } = item;
  const content = (
    <>
      <span class="menu-sign">{isChosen ? <Icon name="check" /> : icon && <Icon name={icon} />}</span>
      <bdi class="menu-label">{label}</bdi>
      {hint !== undefined && <span class="menu-hint">{hint}</span>}
    </>
  );
  const name = `menu-item ${isDanger ? 'is-danger' : ''} ${isApart ? 'is-apart' : ''}`;
  const role = isChosen === undefined ? 'menuitem' : 'menuitemradio';
  const chosen = isChosen === undefined ? {} : { 'aria-checked': isChosen };
  const select = () => {
    close();
    onSelect?.();
  };
  return href === undefined ? (
    <button type="button" role={role} {...chosen} tabIndex={-1} class={name} onClick={select}>
      {content}
    </button>
  ) : (
    <a role={role} {...chosen} tabIndex={-1} class={name} href={href} onClick={select}>
      {content}
    </a>
  );
}
