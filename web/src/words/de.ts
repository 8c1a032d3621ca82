import { alarms } from './de/alarms.ts';
import { classes } from './de/classes.ts';
import { diagnosis } from './de/diagnosis.ts';
import { errors } from './de/errors.ts';
import { events } from './de/events.ts';
import { form } from './de/form.ts';
import { frame } from './de/frame.ts';
import { node } from './de/node.ts';
import { overview } from './de/overview.ts';
import { table } from './de/table.ts';
import { tree } from './de/tree.ts';
import { ui } from './de/ui.ts';
import type { Words } from './en.ts';

export const de: Words = { alarms, classes, diagnosis, errors, events, form, frame, node, overview, table, tree, ui };
