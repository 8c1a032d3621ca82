/** A schema with a name, and what many of them are made of. */
export type Component = { readonly $id: string; readonly [keyword: string]: unknown };

export const time = { type: 'string', format: 'date-time', examples: ['2024-08-16T02:00:39.000Z'] };
export const string = (description: string, ...examples: string[]) => ({ type: 'string', description, examples });
