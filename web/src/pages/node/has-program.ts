import type { Node } from '../../data/nodes.ts';

const kindOf = ({ _class }: Pick<Node, '_class'>): string => _class.slice(_class.lastIndexOf('.') + 1);

/** A process parameter or a processor, which has a program of its own. */
export const isProgram = (node: Pick<Node, '_class'>): boolean => /ProcessPoint$|^Processor$/.test(kindOf(node));

/** Whether code is edited here: a program, or the functions that all programs of a Workspace share. */
export const hasProgram = (node: Pick<Node, '_class'>): boolean => isProgram(node) || kindOf(node) === 'Workspace';

export const isProcessor = (node: Pick<Node, '_class'>): boolean => kindOf(node) === 'Processor';

export const hasRating = (node: Pick<Node, '_class'>): boolean => kindOf(node) === 'NumberRatingPoint';
