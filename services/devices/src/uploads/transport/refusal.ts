/** The reason why something is not done, as a text for the client. */
export class Refusal extends Error {}
