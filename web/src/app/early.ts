import { askFirst } from '../data/first-requests.ts';
import { start } from '../data/start.ts';

// A script of its own, which runs while the console is still on its way: /a/<account>/<page>.
if (!start().account.isDisabled) askFirst(location.pathname.split('/')[3], matchMedia('(width >= 48rem)').matches);
