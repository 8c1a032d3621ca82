/** Lists names of the functions that a text defines. */
export const functionsIn = (code: string): readonly string[] => [
  ...new Set([...code.matchAll(/^\s*function\s+([A-Za-z_$][\w$]*)/gm)].map(([, name]) => name!)),
];
