import type { JsonObject } from '@catchment/json-body';
import type { Queryable } from '@catchment/pg';
import { type CommandName, type DeviceCommand, SOFTWARE_SENT } from '../domain/device-command.ts';

type CommandRow = {
  command_id: string;
  device_id: string;
  name: CommandName;
  arguments: JsonObject;
  username: string;
  created_ms: number;
};

const COLUMNS = 'command_id, device_id, name, arguments, username, created_ms';

const toCommand = (row: CommandRow): DeviceCommand => ({
  commandId: row.command_id,
  deviceId: row.device_id,
  name: row.name,
  arguments: row.arguments,
  username: row.username,
  createdMs: row.created_ms,
});

export async function insertCommand(tx: Queryable, command: DeviceCommand): Promise<void> {
  const { commandId, deviceId, name, username, createdMs } = command;
  await tx.query(`INSERT INTO device_commands (${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6)`, [
    commandId,
    deviceId,
    name,
    JSON.stringify(command.arguments),
    username,
    createdMs,
  ]);
}

/** Returns commands of a device that wait to be sent or answered, oldest first. */
export async function waitingCommands(on: Queryable, deviceId: string): Promise<DeviceCommand[]> {
  const { rows } = await on.query<CommandRow>(
    `SELECT ${COLUMNS} FROM device_commands WHERE device_id = $1 ORDER BY command_id`,
    [deviceId],
    'waiting-commands',
  );
  return rows.map(toCommand);
}

/** Commands that were not sent on this connection yet, oldest first; from here on they were. */
export async function takeCommands(
  on: Queryable,
  deviceId: string,
  connectionId: string,
  nowMs: number,
): Promise<DeviceCommand[]> {
  const { rows } = await on.query<CommandRow>(
    `WITH sent AS (
       UPDATE device_commands SET sent_on = $2, sent_ms = $3
       WHERE device_id = $1 AND sent_on IS DISTINCT FROM $2 RETURNING ${COLUMNS}
     ), noted AS (
       UPDATE devices SET software = software || (
         SELECT coalesce(jsonb_object_agg($4::jsonb ->> (arguments ->> 'component'), to_char(
           to_timestamp($3 / 1000.0) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')), '{}')
         FROM sent WHERE name = 'UPDATE_SOFTWARE')
       WHERE device_id = $1 AND EXISTS (SELECT FROM sent WHERE name = 'UPDATE_SOFTWARE')
     )
     SELECT ${COLUMNS} FROM sent ORDER BY command_id`,
    [deviceId, connectionId, nowMs, JSON.stringify(SOFTWARE_SENT)],
    'take-commands',
  );
  return rows.map(toCommand);
}

/** A command that was answered waits no longer. */
export async function takeCommand(
  on: Queryable,
  deviceId: string,
  commandId: string,
): Promise<DeviceCommand | undefined> {
  const { rows } = await on.query<CommandRow>(
    `DELETE FROM device_commands WHERE device_id = $1 AND command_id = $2 RETURNING ${COLUMNS}`,
    [deviceId, commandId],
  );
  return rows[0] && toCommand(rows[0]);
}
