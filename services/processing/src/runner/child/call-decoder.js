// Calls a person's decoder of LoRaWAN payloads, by whichever of the names that network servers know: decodeUplink(input) of The Things
// Stack and ChirpStack v4, Decode(fPort, bytes, variables) of ChirpStack v3, Decoder(bytes, fPort) of The Things Network v2. The value of
// this file is a function that returns one by which values are asked for, as JSON.
// Threat: as in call-converter.js: the engine serves one call, and what leaves it is a text of limited length.
(text, buffer) => {
  const { fPort, recvTime, variables = {} } = JSON.parse(text);
  const bytes = Array.from(new Uint8Array(buffer));
  const exported = module.exports ?? {};
  const named = {
    decodeUplink: typeof decodeUplink === 'function' ? decodeUplink : exported.decodeUplink,
    Decode: typeof Decode === 'function' ? Decode : exported.Decode,
    Decoder: typeof Decoder === 'function' ? Decoder : exported.Decoder,
  };
  const decoded = () => {
    if (named.decodeUplink) {
      const result = named.decodeUplink({ bytes, fPort, recvTime: new Date(recvTime), variables });
      if (typeof result !== 'object' || result === null) throw new Error('decodeUplink returns no object');
      const { data, errors, warnings } = result;
      return { data, errors, warnings };
    }
    if (named.Decode) return { data: named.Decode(fPort, bytes, variables) };
    if (named.Decoder) return { data: named.Decoder(bytes, fPort) };
    throw new Error('there is no function decodeUplink, Decode or Decoder');
  };
  const values = [decoded()];
  return () => (values.length > 0 ? JSON.stringify(values.pop()) : undefined);
};
