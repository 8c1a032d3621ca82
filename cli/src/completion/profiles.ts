/** Prints the names of the profiles, in any shell. */
export const PROFILES = `sed -n 's/^ *\\[ *profiles *\\. *\\([A-Za-z0-9_-]*\\) *\\].*/\\1/p' "\${XDG_CONFIG_HOME:-$HOME/.config}/catchment.toml" 2>/dev/null`;
