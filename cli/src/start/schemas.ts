import { existsSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './paths.ts';
import { SERVICES, type ServiceName } from './service-table.ts';

/** Returns where the migrations of a schema are; not every service has one. */
export const migrationsFolder = (schema: string): string => path.join(ROOT, 'services', schema, 'migrations');

/** Lists services that have a schema, each of its own name. */
export const schemasOfServices = (): ServiceName[] => SERVICES.filter((name) => existsSync(migrationsFolder(name)));
