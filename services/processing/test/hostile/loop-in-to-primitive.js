// A name that is an object with an endless conversion.
// ends: there is no quality code an object
Q({ toString: function () { for (;;); } }); Q({ [Symbol.toPrimitive]() { for (;;); } }); return 1
