/** Different paths of a program, and of one question about them (`ProgramsService.ResolvePaths`). */
export const PATHS_MAX = 200;
