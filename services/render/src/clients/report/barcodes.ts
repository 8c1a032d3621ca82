import { toSVG } from '@bwip-js/node';
import type { Barcodes } from '../../usecases/report-ports.ts';

/** Longer ones no reader takes. */
const MAX_CHARACTERS = 100;

export const barcodes: Barcodes = {
  code128(content) {
    if (content.length > MAX_CHARACTERS) throw new Error(`it has more than ${MAX_CHARACTERS} characters`);
    if (!/^[\x20-\x7e]*$/.test(content)) throw new Error('it has characters other than those of ASCII');
    return toSVG({ bcid: 'code128', text: content, includetext: true, textxalign: 'center', height: 12 });
  },
};
