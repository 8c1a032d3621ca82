/** What a file writes takes the place of everything in its range. */
export const REPLACE = 'INSERT_DELETE_EXISTING';
/** The mode of a source that names none, and of the parts of a file behind the one that has replaced its range. */
export const OVERWRITE = 'MERGE_OVERWRITE_EXISTING';
