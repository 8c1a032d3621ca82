import { localeOf } from '../data/times.ts';
import { language } from '../words/index.ts';

/** "12.4 MB". */
export function sizeText(bytes: number): string {
  const [unit, by] =
    bytes < 1e3 ? (['byte', 1] as const) : bytes < 1e6 ? (['kilobyte', 1e3] as const) : (['megabyte', 1e6] as const);
  const style = { style: 'unit', unit, unitDisplay: bytes < 1e3 ? 'long' : 'short', maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(localeOf(language.value), style).format(bytes / by);
}
