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
  undo: 'M6.4 3 3 6.4l3.4 3.4M3 6.4h6.2a3.8 3.8 0 0 1 0 7.6H6',
  redo: 'M9.6 3 13 6.4 9.6 9.8M13 6.4H6.8a3.8 3.8 0 0 0 0 7.6H10',
  sun: 'M8 5a3 3 0 1 1 0 6 3 3 0 0 1 0-6M8 1v1.4M8 13.6V15M1 8h1.4M13.6 8H15M3 3l1 1M12 12l1 1M3 13l1-1M12 4l1-1',
  moon: 'M13.4 9.8A5.8 5.8 0 0 1 6.2 2.6a5.8 5.8 0 1 0 7.2 7.2Z',
  offline:
    'M2 2l12 12M4.6 8.2a5 5 0 0 1 2.6-1.3M1.8 5.4a9 9 0 0 1 2.4-1.6M7 3a9 9 0 0 1 7.2 2.4M10 7.3a5 5 0 0 1 1.4.9M8 12.2v.2',
  pin: 'M5.4 2.4h5.2L10 6.8l2.4 2.4H3.6L6 6.8ZM8 9.2v4.6',
  search: 'M7 2.6a4.4 4.4 0 1 1 0 8.8 4.4 4.4 0 0 1 0-8.8M10.4 10.4l3.4 3.4',
  menu: 'M2.6 4.4h10.8M2.6 8h10.8M2.6 11.6h10.8',
  more: 'M3.4 8h.2M7.9 8h.2M12.4 8h.2',
  map: 'M2 4.2 6 2.4l4 1.8 4-1.8v9.4l-4 1.8-4-1.8-4 1.8ZM6 2.4v9.4M10 4.2v9.4',
  list: 'M5.6 4h8M5.6 8h8M5.6 12h8M2.4 4h.2M2.4 8h.2M2.4 12h.2',
  boards: 'M2.4 2.6h4.8v6H2.4ZM8.8 2.6h4.8v3.2H8.8ZM8.8 7.4h4.8v6H8.8ZM2.4 10.2h4.8v3.2H2.4Z',
  pulse: 'M1.6 8.4h3l2-5 3 9.4 2-4.4h2.8',
  person: 'M8 2.4a2.8 2.8 0 1 1 0 5.6 2.8 2.8 0 0 1 0-5.6M2.8 14a5.2 5.2 0 0 1 10.4 0',
  close: 'm3.6 3.6 8.8 8.8M12.4 3.6l-8.8 8.8',
  fold: 'm4 6 4 4 4-4',
  unfold: 'm6 4 4 4-4 4',
  folder: 'M1.8 4h4.4l1.4 1.6h6.6v7.2H1.8Z',
  place:
    'M8 1.8a4.4 4.4 0 0 1 4.4 4.4C12.4 9.4 8 14.2 8 14.2S3.6 9.4 3.6 6.2A4.4 4.4 0 0 1 8 1.8M8 4.8v2.8M6.6 6.2h2.8',
  source: 'M8 12.6V8M8 8a1.2 1.2 0 1 0 0-.1M4.8 4.6a4.6 4.6 0 0 0 0 6.4M11.2 4.6a4.6 4.6 0 0 1 0 6.4',
  number: 'M2 12.6 6 7.4l3 2.8 5-6.8',
  file: 'M4 1.8h5l3 3v9.4H4ZM9 1.8v3h3',
  cube: 'M8 1.8l5.6 3v6.4L8 14.2l-5.6-3V4.8ZM2.4 4.8 8 7.8l5.6-3M8 7.8v6.4',
  pencil: 'M3 13l.6-3 7.2-7.2 2.4 2.4L6 12.4ZM9.6 4l2.4 2.4',
  copy: 'M5.6 5.6h7.6v7.6H5.6ZM10.4 3H3v7.4',
  move: 'M2.4 8h9M8 4.4 11.6 8 8 11.6M14 3v10',
  trash: 'M2.8 4.4h10.4M6 4.4V2.6h4v1.8M4.2 4.4l.6 9h6.4l.6-9M6.8 7v4M9.2 7v4',
  gear: 'M8 5.6a2.4 2.4 0 1 1 0 4.8 2.4 2.4 0 0 1 0-4.8M8 1.4v2M8 12.6v2M1.4 8h2M12.6 8h2M3.3 3.3l1.4 1.4M11.3 11.3l1.4 1.4M3.3 12.7l1.4-1.4M11.3 4.7l1.4-1.4',
} as const;

export type IconName = keyof typeof PATHS;

/** Shows a sign beside words that say the same. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
