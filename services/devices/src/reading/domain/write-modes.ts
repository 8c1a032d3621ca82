/** What a file writes takes the place of everything in its range. */
export const REPLACE = 'INSERT_DELETE_EXISTING';
/** A source that names no mode has this mode, and so have the parts of a file behind the part that has replaced its range. */
export const OVERWRITE = 'MERGE_OVERWRITE_EXISTING';
