import { contrast, LINES } from '../../../charts/readable-color.ts';

/** Charts stand on `--surface` of both schemes (styles/tokens.css). */
const GROUNDS = { light: '#ffffff', dark: '#13242a' } as const;
export type Scheme = keyof typeof GROUNDS;

/** Lists the schemes in which a colour is hard to see as a line: below 3:1 (WCAG 2.2, 1.4.11). */
export const hardToSeeOn = (color: string): readonly { readonly scheme: Scheme; readonly ratio: number }[] =>
  (['light', 'dark'] as const)
    .map((scheme) => ({ scheme, ratio: contrast(color, GROUNDS[scheme]) }))
    .filter(({ ratio }) => ratio < LINES);
