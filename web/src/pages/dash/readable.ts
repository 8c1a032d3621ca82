const OF_A_TILE = /^tiles\[\d+\](?:\.?[\w[\]]+)*?\.?(\w+)(?:\[\d+\])?: /;

/**
 * Writes a refusal of a tile for who does not know how the API counts tiles: the field by its name, then the rule.
 * @param label of an attribute
 */
export const readable = ({ message }: { readonly message: string }, label: (name: string) => string): string =>
  message.replace(OF_A_TILE, (_whole, name: string) => `${label(name)}: `);
