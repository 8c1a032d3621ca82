export { apiSchemas } from './domain/api-schemas.ts';
