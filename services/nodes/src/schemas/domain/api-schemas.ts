import { ACCESS, ROLE } from '../../access/index.ts';
import { ACCOUNT, ACCOUNT_TYPES, CATEGORY, GROUP, QUALITY } from '../../accounts/index.ts';
import type { ClassNames } from '../../domain/body/class-names.ts';
import type { Fields, JsonObject } from '../../domain/body/rule.ts';
import { fieldsSchema, schemaOf } from '../../domain/body/rule-schema.ts';
import { API_KEY } from '../../keys/index.ts';
import { PREFERENCES } from '../../notifications/index.ts';
import { PROFILE } from '../../people/index.ts';
import { PREVIEWED_MESSAGE, WRITTEN_MESSAGE } from '../../sending/index.ts';
import { nodeSchemas } from './node-schemas.ts';

/**
 * OpenAPI shows these schemas of the bodies that this service takes; they are made of the tables by which bodies are
 * read. `npm run generate` puts them where the gateway finds them.
 */
export const apiSchemas = (names: ClassNames) => ({
  ...nodeSchemas(names),
  userProfile: fieldsSchema(PROFILE),
  quality: fieldsSchema(QUALITY),
  access: propertiesOf(ACCESS),
  preferences: schemaOf(PREFERENCES),
  writtenMessage: fieldsSchema(WRITTEN_MESSAGE),
  previewedMessage: fieldsSchema(PREVIEWED_MESSAGE),
  account: propertiesOf(ACCOUNT),
  accountTypes: ACCOUNT_TYPES,
  category: propertiesOf(CATEGORY),
  group: propertiesOf(GROUP),
  role: propertiesOf(ROLE),
  apiKey: propertiesOf(API_KEY),
});

const propertiesOf = (fields: Fields): JsonObject =>
  Object.fromEntries(Object.entries(fields).map(([name, { rule }]) => [name, schemaOf(rule)]));
