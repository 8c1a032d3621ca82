// Gives decoders and converters what they know of Node and of browsers, made of the library `buffer`. The value of this file is a function
// of the modules that can be required, and of one that decodes texts out there.
// Threat: a name by which `require` reaches more than these modules, or bytes that are not what they say. The name is made a
// text once and looked up among the names given; the decoder outside receives a copy of bytes and the name of an encoding.
(modules, decode) => {
  const loaded = new Map();
  const require = (asked) => {
    const name = String(asked).replace(/^node:/, '');
    if (!Object.hasOwn(modules, name)) throw new Error(`require: there is no module ${name}`);
    if (!loaded.has(name)) {
      const module = { exports: {} };
      loaded.set(name, module);
      modules[name](module, module.exports, require);
    }
    return loaded.get(name).exports;
  };
  const { Buffer } = require('buffer');

  const bytesOf = (given) => {
    if (given === undefined) return new ArrayBuffer(0);
    if (ArrayBuffer.isView(given))
      return Uint8Array.from(new Uint8Array(given.buffer, given.byteOffset, given.byteLength)).buffer;
    if (given instanceof ArrayBuffer) return given;
    throw new TypeError('decode: the bytes must be an ArrayBuffer or a view of one');
  };
  class TextDecoder {
    constructor(encoding = 'utf-8', { fatal = false, ignoreBOM = false } = {}) {
      this.encoding = String(encoding).toLowerCase();
      this.fatal = Boolean(fatal);
      this.ignoreBOM = Boolean(ignoreBOM);
      this.decode(new ArrayBuffer(0));
    }
    decode(bytes) {
      return decode(bytesOf(bytes), this.encoding, this.fatal, this.ignoreBOM);
    }
  }
  class TextEncoder {
    get encoding() {
      return 'utf-8';
    }
    encode(text = '') {
      return Uint8Array.from(Buffer.from(String(text), 'utf8'));
    }
  }
  const atob = (text) => {
    const base64 = String(text).replaceAll(/[\t\n\f\r ]/g, '');
    if (!/^[A-Za-z0-9+/]*={0,2}$/.test(base64) || base64.replace(/=+$/, '').length % 4 === 1)
      throw new Error('atob: the text is no Base64');
    return Buffer.from(base64, 'base64').toString('latin1');
  };
  const btoa = (text) => {
    if (/[^\0-\xff]/.test(String(text))) throw new Error('btoa: the text has characters that are no bytes');
    return Buffer.from(String(text), 'latin1').toString('base64');
  };
  // The names are not variables: a decoder may have a variable of the same name.
  for (const [name, value] of Object.entries({ Buffer, TextDecoder, TextEncoder, atob, btoa, require }))
    Object.defineProperty(globalThis, name, { value, writable: true, enumerable: false, configurable: true });
};
