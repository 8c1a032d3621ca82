// Math.random of a program.
// Threat: a run that has other results when it is repeated, or that leaves the numbers of the next run changed. The
// numbers follow from NOW alone and begin anew with each run.
(clock) => {
  /** The last number of the current run; 0: it has had none. */
  const numbers = { last: 0 };
  Math.random = () => {
    let random = numbers.last;
    if (random === 0) random = (Math.abs(clock()) % 4_294_967_291) + 1;
    random ^= random << 13;
    random ^= random >>> 17;
    random ^= random << 5;
    numbers.last = random >>> 0;
    return numbers.last / 4_294_967_296;
  };
  return numbers;
};
