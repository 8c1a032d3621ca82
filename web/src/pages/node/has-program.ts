type OfClass = { readonly _class: string };

const kindOf = ({ _class }: OfClass): string => _class.slice(_class.lastIndexOf('.') + 1);

/** Accepts a process parameter or a processor, which has a program of its own. */
export const isProgram = (node: OfClass): boolean => /ProcessPoint$|^Processor$/.test(kindOf(node));

/** Returns whether code is edited here: a program, or the functions that all programs of a Workspace share. */
export const hasProgram = (node: OfClass): boolean => isProgram(node) || kindOf(node) === 'Workspace';

export const isProcessor = (node: OfClass): boolean => kindOf(node) === 'Processor';

export const hasRating = (node: OfClass): boolean => kindOf(node) === 'NumberRatingPoint';
