import type { TakeSamplesRequest } from '@catchment/contracts/devices';
import { type DomainError, invalid, notFound } from '@catchment/errors';
import { readSensorLog } from '../domain/sensorlog.ts';
import { StationRefusal } from '../domain/station-message.ts';
import type { Stations } from './take-message.ts';

/**
 * Takes samples of the app SensorLog (docs/reference/iot.md#sensorlog); resolves once the ingest log has them.
 * @throws DomainError invalid_argument; not_found: no source has this device; unavailable …
 */
export async function takeSamples(
  stations: Stations,
  { body, mediaType }: Pick<TakeSamplesRequest, 'body' | 'mediaType'>,
  signal: AbortSignal,
): Promise<void> {
  const message = refusing(() => readSensorLog(body, mediaType));
  const source = await stations.sourceOf(message.sites, 'source.data.SensorLog').catch((error: unknown) => {
    throw error instanceof StationRefusal ? notFound({ cause: error }) : error;
  });
  try {
    await stations.take(source, message, 'SensorLog', signal);
  } catch (error) {
    if (!(error instanceof StationRefusal)) throw error;
    await stations.report(source, error.message);
    throw invalidData(error);
  }
}

function refusing<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof StationRefusal ? invalidData(error) : error;
  }
}

const invalidData = ({ message }: StationRefusal): DomainError =>
  invalid('INVALID_STATION_DATA', message.startsWith('body:') ? message : `body: ${message}`);
