import type { EnvReader } from '@catchment/config';
import { LOG_LEVELS, type LogLevel } from './logger.ts';

/** `LOG_LEVEL`: what a logger begins with. */
export const readLogLevel = (read: EnvReader): LogLevel => read.oneOf('LOG_LEVEL', LOG_LEVELS, { fallback: 'info' });
