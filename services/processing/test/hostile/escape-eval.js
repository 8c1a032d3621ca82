// eval, straight and round about.
// ends: 'eval' is not defined
return (0, eval)('1')
