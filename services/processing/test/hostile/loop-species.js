// Symbol.species with a constructor that never returns.
// ends: took longer than 0.2 s
class Mine extends Array { static get [Symbol.species]() { for (;;); } } return new Mine(1, 2, 3).map(Number).length
