/**
 * A condition: no backup is being made. While one is, what messages of the log have decided stays: the backup applies them again to what it
 * has copied of the store (docs/adr/0026-backup.md). The records that a moved series has left in its old InfluxDB stay too: the backup may be reading them.
 */
export const NO_BACKUP = 'NOT EXISTS (SELECT FROM backup_holds WHERE held_until > now())';
