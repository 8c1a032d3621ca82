import * as acquisitions from './pg-acquisitions.ts';
import * as controls from './pg-controls.ts';

export const scheduleStatements = { ...acquisitions, ...controls };
