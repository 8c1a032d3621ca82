import * as contacts from './pg-contacts.ts';
import * as files from './pg-files.ts';
import * as imports from './pg-imports.ts';

export const fileStatements = { ...contacts, ...files, ...imports };
