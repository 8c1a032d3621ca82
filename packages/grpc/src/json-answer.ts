/** Makes an answer that is a document: the gateway hands its text on as it is. */
export const jsonAnswer = (document: object): { json: Buffer } => ({ json: Buffer.from(JSON.stringify(document)) });
