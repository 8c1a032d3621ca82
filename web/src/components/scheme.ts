import { computed, signal } from '@preact/signals';

export type Scheme = 'light' | 'dark';

const KEY = 'scheme';
const dark = matchMedia('(prefers-color-scheme: dark)');
const print = matchMedia('print');

const system = signal<Scheme>(dark.matches ? 'dark' : 'light');
const chosen = signal<Scheme | undefined>(stored());
const isPrinting = signal(false);

/** The page has the colours of the reader's choice, otherwise the system's; paper is light. */
export const scheme = computed<Scheme>(() => (isPrinting.value ? 'light' : (chosen.value ?? system.value)));

dark.addEventListener('change', () => {
  system.value = dark.matches ? 'dark' : 'light';
});
print.addEventListener('change', () => {
  isPrinting.value = print.matches;
});
window.addEventListener('beforeprint', () => {
  isPrinting.value = true;
});
window.addEventListener('afterprint', () => {
  isPrinting.value = false;
});
scheme.subscribe((value) => {
  document.documentElement.dataset.scheme = value;
});

export function choose(value: Scheme): void {
  chosen.value = value;
  try {
    localStorage.setItem(KEY, value);
  } catch {
    // The choice lasts as long as the page where there is no storage.
  }
}

function stored(): Scheme | undefined {
  try {
    const value = localStorage.getItem(KEY);
    return value === 'light' || value === 'dark' ? value : undefined;
  } catch {
    return undefined;
  }
}
