/**
 * Connections say by this setting that their process decides what else a change of nodes is. Triggers decide it for those of the release
 * before, which do not say so (migration 0061).
 */
export const DECIDES = { 'catchment.decides': 'on' } as const;
