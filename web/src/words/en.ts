import { alarms } from './en/alarms.ts';
import { classes } from './en/classes.ts';
import { diagnosis } from './en/diagnosis.ts';
import { errors } from './en/errors.ts';
import { events } from './en/events.ts';
import { form } from './en/form.ts';
import { frame } from './en/frame.ts';
import { node } from './en/node.ts';
import { overview } from './en/overview.ts';
import { table } from './en/table.ts';
import { tree } from './en/tree.ts';
import { ui } from './en/ui.ts';

/** Each page has its own room of words: two people who write pages do not meet here. Another language that lacks one does not compile. */
export const en = { alarms, classes, diagnosis, errors, events, form, frame, node, overview, table, tree, ui };

/** Each language has to say these. */
export type Words = typeof en;
