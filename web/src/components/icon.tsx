/** Paths of icons on a ground of 16 × 16, drawn with strokes. */
const PATHS = {
  warning: 'M8 2.2 14.6 13.6H1.4ZM8 6.2v3.6M8 11.7v.2',
  bell: 'M3.2 11.6h9.6L11.6 9.8V7a3.6 3.6 0 0 0-7.2 0v2.8ZM6.6 13.8h2.8',
  check: 'M2.8 8.4 6.4 12 13.2 4.6',
  up: 'M8 13V3.4M3.8 7.4 8 3.2l4.2 4.2',
  down: 'M8 3v9.6M3.8 8.6 8 12.8l4.2-4.2',
  left: 'M10 3 5 8l5 5',
  right: 'm6 3 5 5-5 5',
  plus: 'M8 3.2v9.6M3.2 8h9.6',
  minus: 'M3.2 8h9.6',
  whole: 'M2.6 5.8V2.6h3.2M10.2 2.6h3.2v3.2M13.4 10.2v3.2h-3.2M5.8 13.4H2.6v-3.2',
  clock: 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2M8 4.8V8l2.2 1.6',
  sun: 'M8 5a3 3 0 1 1 0 6 3 3 0 0 1 0-6M8 1v1.4M8 13.6V15M1 8h1.4M13.6 8H15M3 3l1 1M12 12l1 1M3 13l1-1M12 4l1-1',
  moon: 'M13.4 9.8A5.8 5.8 0 0 1 6.2 2.6a5.8 5.8 0 1 0 7.2 7.2Z',
  offline:
    'M2 2l12 12M4.6 8.2a5 5 0 0 1 2.6-1.3M1.8 5.4a9 9 0 0 1 2.4-1.6M7 3a9 9 0 0 1 7.2 2.4M10 7.3a5 5 0 0 1 1.4.9M8 12.2v.2',
} as const;

export type IconName = keyof typeof PATHS;

/** A sign beside words that say the same. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
