export { DEFAULT_TABLE, type QualityTable, qualityTable, qualityTypeOf } from './quality-table.ts';
export { type QualityOwners, readQuality } from './read-quality.ts';
export {
  DEFAULT_QUALITY,
  QUALITY_TYPES,
  type QualityCode,
  type QualitySettings,
  type QualityType,
  SYSTEM_CODES,
} from './settings.ts';
